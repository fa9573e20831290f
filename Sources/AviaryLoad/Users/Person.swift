/// Someone at a browser, who changes nobody's records but their own: so what each record must be like is known
/// without a clock that all agree on.
struct Person: Sendable {
    var browser: Browser
    let plan: LoadPlan
    let ledger: Ledger
    let incidents: Incidents
    /// Part of every title: tells people and runs apart.
    let name: String
    var titlesGiven = 0
    /// The own records that are there for sure.
    var records: [String] = []
    /// Where the last page of the list leads.
    var links = ListLinks()
    /// Processes are being killed: lost connections are no surprise.
    var expectsInterruptions: Bool { plan.kill != nil }

    /// Endings that a form must carry, a page escape and a store keep.
    static let endings = ["", " & more", " <b>", " \"x\"", " l'été", " 100 %+", " 🐢", " ;=?#"]

    mutating func act(at pace: any Pace) async {
        while let intended = await pace.next() {
            let action = plan.scenario.action(Int.random(in: 0..<100))
            let done = await perform(action)
            browser.recorder.record(done.operation, .now - intended)
        }
    }

    /// - Returns: what was done: who has no records yet adds one instead of editing it.
    private mutating func perform(_ action: Action) async -> Action {
        switch action {
        case .browse: await browse()
        case .cancelDraft: await cancelDraft()
        case .refusedAdd: await addRefused()
        case .edit where !records.isEmpty: await edit()
        case .delete where !records.isEmpty: await delete()
        case .add, .edit, .delete:
            await add()
            return .add
        }
        return action
    }

    mutating func newTitle() -> String {
        titlesGiven += 1
        return "Load \(name)-\(titlesGiven)" + Self.endings[titlesGiven % Self.endings.count]
    }
}
