/// A virtual user at a browser.
///
/// Users change only their own records, so the expected value of each record is known without a clock that all
/// processes agree on. The exception is the record that all users edit, for which ``SharedRecords`` is responsible.
struct VirtualUser: Sendable {
    var browser: Browser
    let scenario: LoadScenario
    let listPath: String
    /// The longest outage that the run expects; nil if the server must answer every request.
    let outage: Duration?
    var ledger: Ledger
    let incidents: ViolationLog
    /// A part of every title, which distinguishes users and runs.
    let name: String
    /// The id of the record that all users edit; nil in a scenario without one.
    var shared: String?
    var titlesGiven = 0
    /// The ids of the own records that certainly exist.
    var records: [String] = []
    /// The links of the last page of the list.
    var links = ListLinks()
    /// The filters of the list; nil before the user has opened the filter panel.
    var filters: [String]?

    var expectsOutages: Bool { outage != nil }
    /// The time for which the user retries before giving up.
    var patience: Duration { outage ?? LoadPlan.outageOfKill }

    /// The endings of titles. A form must encode them, a page must escape them, and a store must keep them.
    static let endings = ["", " & more", " <b>", " \"x\"", " l'été", " 100 %+", " 🐢", " ;=?#"]

    mutating func act(at pace: any ArrivalSchedule) async {
        let weight = max(1, scenario.totalWeight)
        while let due = await pace.next() {
            let action = scenario.action(Int.random(in: 0..<weight))
            browser.due = due
            let done = await perform(action)
            browser.due = nil
            browser.recorder.record(done, .now - due)
        }
    }

    /// Performs an action.
    ///
    /// - Returns: The operation that was performed, which may differ: a user without records adds one instead of
    ///   editing one.
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
            // An outage explains a missing answer, but no other error. One that lasts too long is already reported.
            if !(expectsOutages && error is NoResponse) { incidents.add(.unexpected, "\(name) failed: \(error)") }
        }
        self = visitor.person
    }

    mutating func newTitle() -> String {
        titlesGiven += 1
        return "Load \(name)-\(titlesGiven)" + Self.endings[titlesGiven % Self.endings.count]
    }
}

extension VirtualUser {
    static var pause: Duration { .milliseconds(50) }

    /// Opens a page, and retries while the server is unavailable.
    ///
    /// - Returns: The answer; nil when it is missing or unexpected, which is then already reported.
    mutating func open(_ path: String, as operation: Operation) async -> BrowserResponse? {
        let deadline = ContinuousClock.now + patience
        var reason = ""
        repeat {
            do {
                let answer = try await browser.get(path, as: operation)
                if answer.status == 200 { return answer }
                guard answer.isUnavailable else {
                    incidents.add(.unexpected, "GET \(path) was answered with status \(answer.status).")
                    return nil
                }
                reason = "status \(answer.status)"
            } catch {
                reason = error.description
            }
            if !expectsOutages {
                incidents.add(.unexpected, "GET \(path) failed (\(reason)), which no outage explains.")
                return nil
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return nil }  // cancelled
        } while ContinuousClock.now < deadline
        incidents.add(.unexpected, "GET \(path) failed for \(Int(patience.seconds)) s: \(reason).")
        return nil
    }

    mutating func openEditor(_ path: String, as operation: Operation) async -> EditorPage? {
        guard let answer = await open(path, as: operation) else { return nil }
        if let page = EditorPage(answer.body) { return page }
        incidents.add(.unexpected, "GET \(path) shows no form that can be saved.")
        return nil
    }
}

extension VirtualUser {
    /// The meaning of one answer for a write.
    private enum Verdict {
        case done(location: String?), refused(status: Int), notDone
        /// - Parameter isOutage: Indicates whether an outage explains it.
        case unknown(String, isOutage: Bool)
    }

    /// Sends a form until its outcome is known.
    ///
    /// Every attempt sends the same form, so it counts as one write even if it arrives several times.
    ///
    /// - Parameter refusal: The status of an expected rejection; nil when none is expected.
    mutating func send(
        _ form: Form, for write: Write, as operation: Operation, refusal: Int? = nil
    ) async -> WriteOutcome {
        var location: String?
        return await send(form, for: write, as: operation, refusal: refusal, leadsTo: &location)
    }

    /// Sends a form until its outcome is known.
    ///
    /// - Parameter location: The location that the answer redirects to.
    mutating func send(
        _ form: Form, for write: Write, as operation: Operation, refusal: Int? = nil, leadsTo location: inout String?
    ) async -> WriteOutcome {
        ledger.begin(write)
        let deadline = ContinuousClock.now + patience
        var mayHaveHappened = false
        var reason = ""
        repeat {
            var isExplained = expectsOutages
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
                // A rejected retry says nothing about the first attempt.
                return settle(write, as: mayHaveHappened ? .unknown : .refused)
            case .notDone:
                reason = "status 503"
            case .unknown(let text, let isOutage):
                reason = text
                isExplained = isExplained && isOutage
                mayHaveHappened = true
                ledger.recordUnknownOutcome()
            }
            if !isExplained {
                incidents.add(
                    .unexpected, record: write.record,
                    "POST \(form.action) failed (\(reason)), which no outage explains.")
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { break }  // cancelled
            ledger.noteRetry()
        } while ContinuousClock.now < deadline
        incidents.add(
            .unexpected, record: write.record,
            "POST \(form.action) found no end in \(Int(patience.seconds)) s: \(reason).")
        return settle(write, as: mayHaveHappened ? .unknown : .refused)
    }

    private mutating func verdict(_ form: Form, as operation: Operation) async -> Verdict {
        do {
            let answer = try await browser.post(form.fields, to: form.action, as: operation)
            switch answer.outcome {
            case .acknowledged: return .done(location: answer.location)
            case .refused where answer.saysNothingChanged: return .notDone
            case .refused: return .refused(status: answer.status)
            case .unknown: return .unknown("status \(answer.status)", isOutage: answer.isUnavailable)
            }
        } catch {
            return .unknown(error.description, isOutage: true)
        }
    }

    private func settle(_ write: Write, as outcome: WriteOutcome) -> WriteOutcome {
        ledger.settle(write, as: outcome)
        return outcome
    }
}

extension VirtualUser {
    /// The number of letters in a search.
    private static let searchLength = 4

    /// Opens one more page: usually the next one, at times a record, a search, a filter, another order, or the
    /// first page.
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

    /// Searches for the beginning of a title that the user has seen.
    private mutating func search() async {
        guard links.hasSearch, let title = links.titles.randomElement(), !title.isEmpty else {
            return await list(listPath, as: .list)
        }
        let query = URLEncodedForm.encode([URLEncodedField(name: "q", value: String(title.prefix(Self.searchLength)))])
        await list(listPath + "?" + String(decoding: query, as: UTF8.self), as: .search)
    }

    private mutating func filter() async {
        if filters == nil {
            guard let answer = await open(listPath + "?panel=filters", as: .list) else { return }
            filters = FilterPanelReader.values(in: answer.body)
        }
        guard let filter = filters?.randomElement() else { return await list(listPath, as: .list) }
        await list(listPath + "?" + filter, as: .filter)
    }

    /// Opens a record. Another user may have deleted it, so 404 is not an error.
    private mutating func look(at record: String) async {
        let status = try? await browser.get(record, as: .record).status  // the count of failed requests includes it
        switch status {
        case 200: return
        case 404 where !scenario.isReadOnly: links = ListLinks()
        case .some(502...504) where expectsOutages, nil where expectsOutages: return
        default:
            let answer = status.map { "status \($0)" } ?? "nothing"
            incidents.add(.unexpected, "GET \(record) was answered with \(answer).")
        }
    }
}
