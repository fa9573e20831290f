import Foundation

/// One run against one server: what is there, the load, what is there then.
struct LoadRun: Sendable {
    let plan: LoadPlan
    let origin: String
    let connections: Connections
    let server: SelfHostedServer?
    let executable: String
    /// Of the session in which everybody is.
    let cookies: CookieJar
    let progress: @Sendable (LoadProgress) -> Void
    let ledger: Ledger
    let incidents = Incidents()
    /// Tells the records of one run from those of another.
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

    func serverWatch() async -> ServerWatch? {
        guard let server else { return nil }
        return ServerWatch(
            client: connections.first, address: await server.metricsAddress, durability: server.durability)
    }

    /// A part of the run, at one rate.
    func part(rate: Double?, processes: Int, shared: String?, name: String = "") -> LoadPart {
        LoadPart(
            run: self, rate: rate, duration: plan.duration,
            warmUp: processes > 1 || plan.processes != nil ? plan.warmUp : .zero,
            processes: processes, shared: shared, name: name)
    }

    /// How many client processes there must be: as many as asked for, or what the warm-up shows.
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
