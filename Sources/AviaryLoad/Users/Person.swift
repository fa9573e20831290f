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

extension Person {
    /// How long someone tries again before giving up: longer than a process takes to come back.
    static var patience: Duration { .seconds(30) }
    static var pause: Duration { .milliseconds(50) }

    /// Opens a page, again while the server is away.
    ///
    /// - Returns: nil when it did not come, or not as it must; then it has been noted.
    mutating func open(_ path: String, as operation: Operation) async -> Answer? {
        let deadline = ContinuousClock.now + Self.patience
        var reason = ""
        repeat {
            do {
                let answer = try await browser.get(path, as: operation)
                if answer.status == 200 { return answer }
                guard answer.status == 503 else {
                    incidents.add(.unexpected, "GET \(path) was answered with status \(answer.status).")
                    return nil
                }
                reason = "status 503"
            } catch {
                reason = error.description
            }
            if !expectsInterruptions {
                incidents.add(.unexpected, "GET \(path) failed (\(reason)), though nothing was killed.")
                return nil
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return nil }  // cancelled
        } while ContinuousClock.now < deadline
        incidents.add(.unexpected, "GET \(path) failed for \(Int(Self.patience.seconds)) s: \(reason).")
        return nil
    }

    mutating func openEditor(_ path: String, as operation: Operation) async -> EditorPage? {
        guard let answer = await open(path, as: operation) else { return nil }
        if let page = EditorPage(answer.body) { return page }
        incidents.add(.unexpected, "GET \(path) shows no form that can be saved.")
        return nil
    }
}

extension Person {
    /// What one answer says about a write.
    private enum Verdict {
        case done(location: String?), refused(status: Int), notDone, unknown(String)
    }

    /// Sends a form until its outcome is known. Each time it is the same form, so however often it arrives it counts
    /// once.
    ///
    /// - Parameter refusal: the status of a refusal that is expected.
    mutating func send(
        _ form: Form, for write: Write, as operation: Operation, refusal: Int? = nil
    ) async -> WriteOutcome {
        var location: String?
        return await send(form, for: write, as: operation, refusal: refusal, leadsTo: &location)
    }

    /// - Parameter location: where the answer led.
    mutating func send(
        _ form: Form, for write: Write, as operation: Operation, refusal: Int? = nil, leadsTo location: inout String?
    ) async -> WriteOutcome {
        ledger.begin(write)
        let deadline = ContinuousClock.now + Self.patience
        var mayHaveHappened = false
        var reason = ""
        repeat {
            switch await verdict(form, as: operation) {
            case .done(let place):
                location = place
                if refusal != nil {
                    incidents.add(.unexpected, record: write.record, "A form that breaks a rule was accepted.")
                }
                return settle(write, as: .acknowledged)
            case .refused(let status):
                if status != refusal {
                    incidents.add(
                        .unexpected, record: write.record, "POST \(form.action) was refused with status \(status).")
                }
                // A repeat that is refused says nothing about the first time.
                return settle(write, as: mayHaveHappened ? .unknown : .refused)
            case .notDone:
                reason = "status 503"
            case .unknown(let text):
                reason = text
                mayHaveHappened = true
                ledger.noteUnknown()
            }
            if !expectsInterruptions {
                incidents.add(
                    .unexpected, record: write.record,
                    "POST \(form.action) failed (\(reason)), though nothing was killed.")
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { break }  // cancelled
            ledger.noteRetry()
        } while ContinuousClock.now < deadline
        incidents.add(
            .unexpected, record: write.record,
            "POST \(form.action) found no end in \(Int(Self.patience.seconds)) s: \(reason).")
        return settle(write, as: mayHaveHappened ? .unknown : .refused)
    }

    private mutating func verdict(_ form: Form, as operation: Operation) async -> Verdict {
        do {
            let answer = try await browser.post(form.fields, to: form.action, as: operation)
            switch answer.outcome {
            case .acknowledged: return .done(location: answer.location)
            case .refused where answer.saysNothingChanged: return .notDone
            case .refused: return .refused(status: answer.status)
            case .unknown: return .unknown("status \(answer.status)")
            }
        } catch {
            return .unknown(error.description)
        }
    }

    private func settle(_ write: Write, as outcome: WriteOutcome) -> WriteOutcome {
        ledger.settle(write, as: outcome)
        return outcome
    }
}

extension Person {
    /// How many letters somebody types who searches.
    private static let searchLength = 4

    /// Looks at one more page: mostly the next; at times a record, a search, a filter, another order, or the first page again.
    mutating func browse() async {
        switch Int.random(in: 0..<100) {
        case 0..<40: await list(links.next ?? listPath, as: .list)
        case 40..<60:
            guard let record = links.records.randomElement() else { return await list(listPath, as: .list) }
            await look(at: record)
        case 60..<75: await search()
        case 75..<88: await filter()
        case 88..<96: await list(links.sorts.randomElement() ?? listPath, as: .sort)
        default: await list(listPath, as: .list)
        }
    }

    private mutating func list(_ path: String, as operation: Operation) async {
        guard let answer = await open(path, as: operation) else { return }
        links = ListLinks(ListPage(answer.body))
    }

    /// The beginning of a name that somebody saw.
    private mutating func search() async {
        guard links.hasSearch, let title = links.titles.randomElement(), !title.isEmpty else {
            return await list(listPath, as: .list)
        }
        let query = FormEncoding.encode([FormField(name: "q", value: String(title.prefix(Self.searchLength)))])
        await list(listPath + "?" + String(decoding: query, as: UTF8.self), as: .search)
    }

    private mutating func filter() async {
        if filters == nil {
            guard let answer = await open(listPath + "?panel=filters", as: .list) else { return }
            filters = FilterPanel.values(in: answer.body)
        }
        guard let filter = filters?.randomElement() else { return await list(listPath, as: .list) }
        await list(listPath + "?" + filter, as: .filter)
    }

    /// Others may have deleted it by now: a record that is gone is no error, but must be said to be gone.
    private mutating func look(at record: String) async {
        let status = try? await browser.get(record, as: .record).status  // told by the count of failed requests
        switch status {
        case 200: return
        case 404 where !scenario.isReadOnly: links = ListLinks()
        case 503 where expectsInterruptions, nil where expectsInterruptions: return
        default:
            let answer = status.map { "status \($0)" } ?? "nothing"
            incidents.add(.unexpected, "GET \(record) was answered with \(answer).")
        }
    }
}
