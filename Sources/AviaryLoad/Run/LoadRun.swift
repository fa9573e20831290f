import Foundation

/// A run against one server: reads the existing records, generates the load, and checks the records.
struct LoadRun: Sendable {
    let plan: LoadPlan
    let origin: String
    let connections: Connections
    let server: SelfHostedServer?
    let executable: String
    /// The cookies of the session that all virtual users share.
    let cookies: CookieJar
    let progress: @Sendable (LoadProgress) -> Void
    let ledger: Ledger
    let incidents = ViolationLog()
    /// The random part of every title, which distinguishes the records of this run from those of other runs.
    let name = String(UInt32.random(in: 0...UInt32.max), radix: 36)

    init(
        plan: LoadPlan, origin: String, connections: Connections, server: SelfHostedServer?, executable: String,
        cookies: CookieJar,
        progress: @escaping @Sendable (LoadProgress) -> Void
    ) {
        self.plan = plan
        self.origin = origin
        self.connections = connections
        ledger = Ledger(keepsTimes: plan.restores)
        self.server = server
        self.executable = executable
        self.cookies = cookies
        self.progress = progress
    }

    func result() async throws -> LoadResult {
        let existing = try await noteExisting()
        if !plan.scenario.isReadOnly { try await checkThatRecordsMayBeAdded() }
        let shared = plan.scenario.hasConflicts ? try await addShared() : nil
        progress(
            .message(
                "\(existing) records are there. Loading for \(plan.duration.seconds) s over \(plan.connections) connections."
            ))
        let processes = try await processes(shared: shared)
        let date = Date()
        var result = LoadResult(plan: plan, origin: origin, launch: launchDescription, date: date, existing: existing)
        if let limit = plan.limit {
            result.take(try await ramp(to: limit, processes: processes, shared: shared))
        } else {
            result.take(try await part(rate: plan.rate, processes: processes, shared: shared).run())
        }
        try Task.checkCancellation()
        if plan.kill != nil, result.kills.isEmpty {
            incidents.add(
                .unexpected,
                "Nothing was killed in the whole run, so nothing is known of what kills do. Look at the server's log.")
        }
        progress(.message("Checking."))
        result.restarts = try await server?.restarts(after: Set(result.kills.map(\.pid)))
        result.violations = try await check()
        if let backup = result.backup { result.violations.add(contentsOf: try await restoreAndCheck(backup)) }
        return result
    }

    private var launchDescription: String { server == nil ? "A server that was running" : "A server of this run" }

    func serverWatch() async -> ServerMonitor? {
        guard let server else { return nil }
        return ServerMonitor(
            client: connections.first, address: await server.metricsAddress, durability: server.durability)
    }

    /// Returns a part of the run at one rate.
    func part(rate: Double?, processes: Int, shared: String?, name: String = "") -> LoadPart {
        LoadPart(
            run: self, rate: rate, duration: plan.duration,
            warmUp: processes > 1 || plan.processes != nil ? plan.warmUp : .zero,
            processes: processes, shared: shared, name: name)
    }

    /// Returns the number of client processes: the number in the plan, or the number that the warm-up shows to be
    /// needed.
    private func processes(shared: String?) async throws -> Int {
        if let processes = plan.processes { return processes }
        guard plan.warmUp > .zero else { return 1 }
        progress(.message("Warming up for \(plan.warmUp.seconds) s."))
        let trial = try await LoadPart(
            run: self, rate: plan.rate, duration: plan.warmUp, warmUp: .zero, processes: 1, shared: shared, name: "w",
            isTrial: true
        ).run()
        guard trial.client.verdict == .clientIsLate else { return 1 }
        let processes = min(max(2, trial.client.cores), plan.mostProcesses)
        guard processes > 1 else { return 1 }
        progress(.message("One client process came late to what was due: loading from \(processes)."))
        return processes
    }

    func browser() -> Browser {
        Browser(
            client: connections.first, origin: origin, recorder: Recorder(start: .now, duration: plan.duration),
            cookies: cookies)
    }
}

extension LoadRun {
    /// The maximum number of records in a list: twice the maximum of `--rows`. A longer list counts as endless.
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

    /// Checks before the load that the account may add records.
    ///
    /// Without the check, every rejection would count as a failure of the server.
    func checkThatRecordsMayBeAdded() async throws {
        var browser = browser()
        guard try await browser.get(plan.listPath + "/new", as: .check).status == 403 else { return }
        throw LoadTestError(
            "This account may not add records at \(plan.listPath). Use one with the role editor, or --scenario browse.")
    }

    /// Adds the record that all users edit, and returns its id.
    func addShared() async throws(LoadTestError) -> String {
        var person = VirtualUser(
            browser: browser(), scenario: plan.scenario, listPath: plan.listPath, outage: plan.outage,
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

    /// Restores the backup, and checks that the store has the state of the time of the backup.
    func restoreAndCheck(_ backup: LoadPart.Backup) async throws -> ViolationList {
        guard let server else { return ViolationList() }
        progress(.message("Restoring the backup that was taken under load, and checking again."))
        try await server.restore(backup.file)
        let recorder = Recorder(start: .now, duration: plan.duration)
        let signIn = SignIn(client: connections.entrance, origin: origin, recorder: recorder)
        // A restore ends all sessions.
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
        var checker = LedgerChecker(histories, shared: shared, wasRestored: wasRestored)
        var walk = walk(browser ?? self.browser())
        let total = try await walk.forEach(most: 2 * histories.count + 1000) { checker.observe($0) }
        return checker.finish(total: total)
    }

    /// Adds the original title of each record that possibly kept it, because no edit is certain to have replaced
    /// it.
    private func withOriginals(
        _ titles: [String: Set<String>], certain: [String: Int64], _ histories: [String: RecordHistory]
    ) -> [String: Set<String>] {
        titles.reduce(into: [:]) { result, entry in
            let originals = certain[entry.key] == nil ? histories[entry.key]?.titles ?? [] : []
            result[entry.key] = entry.value.union(originals)
        }
    }

    /// Returns a walk whose requests are not part of the measurements.
    private func walk(_ browser: Browser) -> ListWalk {
        ListWalk(
            browser: browser, path: plan.listPath, patience: max(LoadPlan.outageOfKill, plan.outage ?? .zero))
    }
}

extension LoadRun {
    private static let rest = Duration.milliseconds(500)

    /// Searches for the highest rate that the server sustains.
    ///
    /// The search raises the rate until the server does not sustain it, or lowers the rate until the server does.
    /// It then halves the gap between the highest rate that held and the lowest that did not. A step in which the
    /// client itself was late is repeated with more client processes.
    func ramp(to limit: LimitPlan, processes: Int, shared: String?) async throws -> Ramp {
        var ramp = Ramp(limit: limit)
        var (rate, processes) = (plan.rate ?? 1, processes)
        // Each step has a name of its own, so its records have titles of their own.
        for attempt in 0..<LimitPlan.mostSteps {
            let outcome = try await part(rate: rate, processes: processes, shared: shared, name: "s\(attempt)-").run()
            try Task.checkCancellation()
            if plan.processes == nil, let more = outcome.client.moreProcesses(most: plan.mostProcesses) {
                processes = more
                progress(
                    .message(
                        "At \(NumberFormat.text(rate)) a second the client came late to what was due: again, from \(processes) processes."
                    ))
            } else {
                let step = RampStep(rate: rate, outcome: outcome, limit: limit)
                ramp.add(step, outcome)
                progress(.message(step.text))
                guard let next = ramp.nextRate else { break }
                rate = next
            }
            // Requests that are still in progress must not affect the next step.
            try await Task.sleep(for: Self.rest)
        }
        return ramp
    }
}
