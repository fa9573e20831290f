/// Someone at a browser, who changes nobody's records but their own: so what each record must be like is known
/// without a clock that all agree on. The one record that all edit is watched by ``SharedRecords``.
struct Person: Sendable {
    var browser: Browser
    let scenario: LoadScenario
    let listPath: String
    /// Processes are being killed: lost connections are no surprise.
    let expectsInterruptions: Bool
    var ledger: Ledger
    let incidents: Incidents
    /// Part of every title: tells people and runs apart.
    let name: String
    /// The record that all edit, where the scenario has one.
    var shared: String?
    var titlesGiven = 0
    /// The own records that are there for sure.
    var records: [String] = []
    /// Where the last page of the list leads.
    var links = ListLinks()
    /// What the list can be narrowed by; nil before somebody looked.
    var filters: [String]?

    /// Endings that a form must carry, a page escape and a store keep.
    static let endings = ["", " & more", " <b>", " \"x\"", " l'été", " 100 %+", " 🐢", " ;=?#"]

    mutating func act(at pace: any Pace) async {
        let weight = max(1, scenario.totalWeight)
        while let due = await pace.next() {
            let action = scenario.action(Int.random(in: 0..<weight))
            browser.due = due
            let done = await perform(action)
            browser.due = nil
            browser.recorder.record(done, .now - due)
        }
    }

    /// - Returns: what was done: who has no records yet adds one instead of editing it.
    private mutating func perform(_ action: LoadAction) async -> Operation {
        switch action.kind {
        case .builtIn(let builtIn): return await perform(builtIn)
        case .own(let body):
            await perform(action.name, body)
            return Operation(action.name)
        }
    }

    private mutating func perform(_ action: BuiltInAction) async -> Operation {
        switch action {
        case .browse: await browse()
        case .list: _ = await open(listPath, as: .firstPage)
        case .draft: await cancelDraft()
        case .refused: await addRefused()
        case .conflict where shared != nil: await editShared()
        case .edit where !records.isEmpty: await edit()
        case .delete where !records.isEmpty: await delete()
        case .deleteUndo where !records.isEmpty: await deleteAndUndo()
        case .add, .edit, .delete, .deleteUndo, .conflict:
            await add()
            return .add
        }
        return Operation(action.rawValue)
    }

    private mutating func perform(_ name: String, _ body: @Sendable (inout LoadVisitor) async throws -> Void) async {
        var visitor = LoadVisitor(person: self, action: name)
        do {
            try await body(&visitor)
        } catch {
            // No answer is what a kill looks like; whatever else is thrown, no kill accounts for.
            if !(expectsInterruptions && error is NoAnswer) { incidents.add(.unexpected, "\(name) failed: \(error)") }
        }
        self = visitor.person
    }

    mutating func newTitle() -> String {
        titlesGiven += 1
        return "Load \(name)-\(titlesGiven)" + Self.endings[titlesGiven % Self.endings.count]
    }
}
