import Foundation
import Histogram

/// A part of the load at one rate, from all client processes.
struct LoadPart: Sendable {
    let run: LoadRun
    let rate: Double?
    let duration: Duration
    let warmUp: Duration
    let processes: Int
    let shared: String?
    let name: String
    /// Indicates whether the part is a trial: the harness kills nothing, takes no backup and discards the
    /// measurements.
    var isTrial = false

    struct Outcome: Sendable {
        let duration: Duration
        let measurements: Measurements
        let unsent: Int
        let client: ClientUtilization
        let kills: [Kill]
        let backup: Backup?
        /// The figures of the server; nil for a server that was already running.
        let server: ServerStatistics?
    }

    /// A backup that was taken during the load.
    struct Backup: Sendable {
        let file: String
        let begin: ContinuousClock.Instant
        let end: ContinuousClock.Instant
        /// The time from the start of the measured time to the end of the backup, in seconds.
        let seconds: Double
    }

    /// The time that other processes have to read their plan, so that all begin together.
    private static let notice = Duration.milliseconds(250)
    static let lineInterval = Duration.milliseconds(500)

    func run() async throws -> Outcome {
        let clients = try await ClientProcess.start(processes - 1, executable: run.executable)
        let begin = ContinuousClock.now + (clients.isEmpty ? .zero : Self.notice)
        let start = begin + warmUp
        let parts = VirtualUserPlan(
            origin: run.origin, cookies: run.cookies, scenario: run.plan.scenario.name,
            weights: run.plan.scenario.weights,
            listPath: run.plan.listPath, connections: run.plan.connections, rate: rate, begin: begin, start: start,
            duration: duration, leastActions: isTrial ? 0 : run.plan.leastActions,
            outage: run.plan.outage, keepsTimes: run.plan.restores, shared: shared,
            name: run.name + name
        ).split(into: processes)
        let crew = VirtualUserGroup(parts[0], scenario: run.plan.scenario, ledger: run.ledger, incidents: run.incidents)
        let (processor, machine) = (ProcessorTime.ofThisProcess, ProcessorTime.ofTheMachine)

        async let others = withThrowingTaskGroup(of: VirtualUserResult.self) { group in
            for (client, part) in zip(clients, parts.dropFirst()) {
                group.addTask { try await client.act(part, onRecent: crew.recorder.addRecent) }
            }
            return try await group.reduce(into: [VirtualUserResult]()) { $0.append($1) }
        }
        async let kills =
            isTrial ? [] : KillSchedule(plan: run.plan, server: run.server, start: start, ledger: run.ledger).run()
        async let backup = isTrial ? nil : takeBackup(at: start + duration / 2, start: start)
        let watch = isTrial ? nil : await run.serverWatch()
        let watching = Task { await watch?.run(from: start) }
        let line = Task { await reportProgress(of: crew.recorder) }
        var (measurements, unsent) = await crew.act(over: run.connections)
        let end = ContinuousClock.now
        line.cancel()
        watching.cancel()
        await watching.value
        await watch?.look()

        var seconds = ProcessorTime.ofThisProcess - processor
        let machineNow = ProcessorTime.ofTheMachine
        for result in try await others {
            measurements.add(result.measurements)
            unsent += result.unsent
            seconds += result.processorSeconds
            run.ledger.add(result.entries)
            run.incidents.add(contentsOf: result.incidents)
        }
        return Outcome(
            duration: max(duration, end - start), measurements: measurements, unsent: unsent,
            client: ClientUtilization(
                processes: processes, processors: seconds / max(0.001, (end - begin).seconds),
                machineShare: Self.share(from: machine, to: machineNow),
                cores: ProcessInfo.processInfo.activeProcessorCount,
                lateness: measurements.lateness.totalCount > 0 ? measurements.lateness.milliseconds(99) : nil
            ),
            kills: try await kills, backup: try await backup, server: await watch?.figures
        )
    }

    private static func share(from old: (busy: Double, all: Double)?, to new: (busy: Double, all: Double)?) -> Double? {
        guard let old, let new, new.all > old.all else { return nil }
        return (new.busy - old.busy) / (new.all - old.all)
    }

    /// Takes a backup in the middle of the load, so that writes happen before, during and after it.
    private func takeBackup(at time: ContinuousClock.Instant, start: ContinuousClock.Instant) async throws -> Backup? {
        guard run.plan.restores, let server = run.server else { return nil }
        try await ContinuousClock().sleep(until: time)
        let begin = ContinuousClock.now
        let file = try await server.backUp()
        let end = ContinuousClock.now
        return Backup(file: file, begin: begin, end: end, seconds: (end - start).seconds)
    }

    private func reportProgress(of recorder: Recorder) async {
        var (last, errors) = (ContinuousClock.now, 0)
        while (try? await Task.sleep(for: Self.lineInterval)) != nil {  // cancelled: the load is over
            let now = ContinuousClock.now
            let recent = recorder.drainRecent()
            errors += recent.failed
            guard now > recorder.start else { continue }
            run.progress(
                .live(
                    LiveStatistics(
                        share: (now - recorder.start) / duration, seconds: (now - recorder.start).seconds,
                        requestsPerSecond: Double(recent.requests) / (now - last).seconds,
                        p99: recent.latencies.totalCount > 0 ? recent.latencies.milliseconds(99) : nil, errors: errors,
                        processes: processes
                    )))
            last = now
        }
    }
}
