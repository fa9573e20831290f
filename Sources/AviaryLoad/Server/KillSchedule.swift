import Foundation

/// Kills a process again and again while the load goes on.
struct KillSchedule: Sendable {
    let plan: LoadPlan
    let server: SelfHostedServer?
    let start: ContinuousClock.Instant
    let ledger: Ledger

    /// How long an acknowledged write is waited for, and how old it may be who is killed: by then the number of a process that
    /// ended by itself is not another's.
    private static let patience = Duration.milliseconds(500)

    /// Returns when the load is over.
    func run() async throws -> [Kill] {
        guard let kill = plan.kill, let server else { return [] }
        var kills: [Kill] = []
        // A process that was killed is named until the supervisor has noticed it: it is not killed twice.
        var dead: Set<Int32> = []
        var next = start + kill.interval
        // The last one early enough that its damage is done under load.
        while next < start + plan.duration {
            // Chosen before: in the moment itself there is no time to ask.
            try await ContinuousClock().sleep(until: next - min(kill.interval / 2, Self.patience))
            var victim = try await server.victim(kill.target, except: dead)
            try await ContinuousClock().sleep(until: next)
            // It may not have been back yet.
            if victim == nil { victim = try await server.victim(kill.target, except: dead) }
            if let victim, let time = await end(victim) {
                dead.insert(victim.pid)
                kills.append(Kill(process: victim.name, pid: victim.pid, seconds: (time - start).seconds))
                try await server.bringBack(victim)
            }
            next = max(next + kill.interval, .now)
        }
        return kills
    }

    /// Ends a process right when a write is acknowledged, or without one where none comes.
    ///
    /// - Returns: when; nil where it had ended by itself.
    private func end(_ victim: Victim) async -> ContinuousClock.Instant? {
        let (ends, end) = AsyncStream<ContinuousClock.Instant?>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // In the very moment: what comes between the answer and the kill is time for a store that lies to make it true.
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
    /// `store`, `worker`, or `server` where both are one process.
    package let process: String
    package let pid: Int32
    /// Since the start of the load.
    package let seconds: Double
}

/// A process that is to be killed.
struct Victim: Sendable {
    /// `store`, `worker`, or `server` where both are one process.
    let name: String
    let pid: Int32

    /// The hard way: it gets no chance to tidy up.
    ///
    /// - Returns: false when it had ended by itself.
    func kill() -> Bool {
        // Nothing below 1 is one process.
        pid > 0 && Foundation.kill(pid, SIGKILL) == 0
    }
}
