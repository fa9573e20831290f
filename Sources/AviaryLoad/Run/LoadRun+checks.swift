extension LoadRun {
    /// Twice as many as may be there is a list without an end.
    private static let mostRecords = 20_000_000

    func noteExisting() async throws(LoadTestError) -> Int {
        var walk = walk(browser())
        var count = 0
        _ = try await walk.forEach(most: Self.mostRecords) { row in
            ledger.noteExisting(row)
            count += 1
        }
        return count
    }

    /// Before the load: what this account may not do would be counted against the server, request by request.
    func checkThatRecordsMayBeAdded() async throws {
        var browser = browser()
        guard try await browser.get(plan.listPath + "/new", as: .check).status == 403 else { return }
        throw LoadTestError(
            "This account may not add records at \(plan.listPath). Use one with the role editor, or --scenario browse.")
    }

    /// The record that all edit.
    func addShared() async throws(LoadTestError) -> String {
        var person = Person(
            browser: browser(), scenario: plan.scenario, listPath: plan.listPath, expectsInterruptions: false,
            ledger: ledger,
            incidents: incidents, name: name + "-shared"
        )
        await person.add()
        guard let record = person.records.first else {
            throw LoadTestError(
                "The record that all are to edit could not be added: \(incidents.violations.first.first?.text ?? "no reason is known")."
            )
        }
        return record
    }

    func check() async throws(LoadTestError) -> ViolationList {
        let edits = ledger.shared.all
        let histories = ledger.histories
        var violations = try await check(
            histories, shared: withOriginals(edits.possibleTitles, certain: edits.acknowledgedBases, histories))
        for edit in edits.overwriting {
            violations.add(
                .overwritten, record: edit.record,
                "“\(edit.title)” was saved over an edit that its author had not seen: both were made from version \(edit.base)."
            )
        }
        violations.add(contentsOf: incidents.violations)
        return violations
    }

    /// Sets the store back to the backup, and looks whether it is as it was then.
    func restoreAndCheck(_ backup: LoadPart.Backup) async throws -> ViolationList {
        guard let server else { return ViolationList() }
        progress(.message("Restoring the backup that was taken under load, and checking again."))
        try await server.restore(backup.file)
        let recorder = Recorder(start: .now, duration: plan.duration)
        let signIn = SignIn(client: connections.entrance, origin: origin, recorder: recorder)
        // Who was signed in before a restore is not after it.
        let cookies = try await signIn.cookies(try await server.credentials())
        let snapshot = LedgerSnapshot(of: ledger, from: backup.begin, to: backup.end)
        return try await check(
            snapshot.histories, shared: withOriginals(snapshot.shared, certain: snapshot.floor, snapshot.histories),
            wasRestored: true,
            browser: Browser(client: connections.first, origin: origin, recorder: recorder, cookies: cookies)
        )
    }

    private func check(
        _ histories: [String: RecordHistory], shared: [String: Set<String>], wasRestored: Bool = false,
        browser: Browser? = nil
    ) async throws(LoadTestError) -> ViolationList {
        var checker = Checker(histories, shared: shared, wasRestored: wasRestored)
        var walk = walk(browser ?? self.browser())
        let total = try await walk.forEach(most: 2 * histories.count + 1000) { checker.observe($0) }
        return checker.finish(total: total)
    }

    /// What nobody's edit is sure to have replaced may still be as it was added.
    private func withOriginals(
        _ titles: [String: Set<String>], certain: [String: Int64], _ histories: [String: RecordHistory]
    ) -> [String: Set<String>] {
        titles.reduce(into: [:]) { result, entry in
            let originals = certain[entry.key] == nil ? histories[entry.key]?.titles ?? [] : []
            result[entry.key] = entry.value.union(originals)
        }
    }

    /// Reads beside the measurements.
    private func walk(_ browser: Browser) -> ListWalk {
        ListWalk(browser: browser, path: plan.listPath)
    }
}
