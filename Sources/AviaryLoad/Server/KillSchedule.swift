import Foundation

/// A task that kills a process of the server repeatedly during the load.
struct KillSchedule: Sendable {
    let plan: LoadPlan
    let server: SelfHostedServer?
    let start: ContinuousClock.Instant
    let ledger: Ledger

    /// The time to wait for an acknowledged write before a kill. It is also the maximum age of the chosen process
    /// id: the system does not reuse the id of an exited process so soon.
    private static let patience = Duration.milliseconds(500)

    /// Runs until the load ends, and returns the kills.
    func run() async throws -> [Kill] {
        guard let kill = plan.kill, let server else { return [] }
        var kills: [Kill] = []
        // The supervisor reports a killed process until it has noticed the exit. The set prevents a second kill of
        // the same process.
        var dead: Set<Int32> = []
        var next = start + kill.interval
        // The last kill happens early enough that its effects fall within the load.
        while next < start + plan.duration {
            // The victim is chosen in advance, because a query at the moment of the kill takes too long.
            try await ContinuousClock().sleep(until: next - min(kill.interval / 2, Self.patience))
            var victim = try await server.victim(kill.target, except: dead)
            try await ContinuousClock().sleep(until: next)
            // The process may not have restarted yet at the first query.
            if victim == nil { victim = try await server.victim(kill.target, except: dead) }
            if let victim, let time = await end(victim) {
                dead.insert(victim.pid)
                kills.append(Kill(process: victim.name, pid: victim.pid, seconds: (time - start).seconds))
                try await server.restart(victim)
            }
            next = max(next + kill.interval, .now)
        }
        return kills
    }

    /// Kills a process at the moment at which a write is acknowledged, or after a time-out if none is.
    ///
    /// - Returns: The time of the kill; nil when the process had already exited.
    private func end(_ victim: KillTargetProcess) async -> ContinuousClock.Instant? {
        let (ends, end) = AsyncStream<ContinuousClock.Instant?>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // The kill must follow the acknowledgement immediately: any delay gives a store that acknowledges too early
        // time to commit.
        let kill: @Sendable () -> Void = { end.yield(victim.kill() ? .now : nil) }
        ledger.arm(kill)
        let watch = Task {
            try? await Task.sleep(for: Self.patience)  // cancelled: it was done, or the run is over
            if ledger.disarm(), !Task.isCancelled { kill() }
            end.finish()
        }
        defer { watch.cancel() }
        for await time in ends { return time }
        return nil
    }
}

/// A process that was killed during the run.
package struct Kill: Sendable, Hashable, Encodable {
    /// The kind of process: `store`, `worker`, or `server` when one process is both.
    package let process: String
    package let pid: Int32
    /// The time since the start of the load, in seconds.
    package let seconds: Double
}

/// A process that is about to be killed.
struct KillTargetProcess: Sendable {
    /// The kind of process: `store`, `worker`, or `server` when one process is both.
    let name: String
    let pid: Int32

    /// Sends `SIGKILL`, which leaves the process no time to clean up.
    ///
    /// - Returns: False if the process had already exited.
    func kill() -> Bool {
        // For `kill(2)`, a process id below 1 does not denote a single process.
        pid > 0 && Foundation.kill(pid, SIGKILL) == 0
    }
}
