/// Kills a process again and again while the load goes on.
struct KillSchedule: Sendable {
    let plan: LoadPlan
    let server: SelfHostedServer?
    let start: ContinuousClock.Instant
    let ledger: Ledger

    /// How long an acknowledged write is waited for.
    private static let patience = Duration.milliseconds(500)

    /// Returns when the load is over.
    func run() async throws -> [Kill] {
        guard let kill = plan.kill, let server else { return [] }
        var kills: [Kill] = []
        var next = start + kill.interval
        // The last one early enough that its damage is done under load.
        while next < start + plan.duration {
            // Chosen before: what comes between the answer and the kill is time for a store that lies to make it true.
            try await ContinuousClock().sleep(until: next - kill.interval / 2)
            var victim = try await server.victim(kill.target)
            try await ContinuousClock().sleep(until: next)
            // It may not have been back yet.
            if victim == nil { victim = try await server.victim(kill.target) }
            if let victim {
                await untilSomethingIsAcknowledged()
                let time = ContinuousClock.now - start
                if try await server.kill(victim) {
                    kills.append(Kill(process: victim.name, pid: victim.pid, seconds: time.seconds))
                }
            }
            next = max(next + kill.interval, .now)
        }
        return kills
    }

    /// The moment at which a store that acknowledges before it commits has something to lose.
    private func untilSomethingIsAcknowledged() async {
        let before = ledger.counts.acknowledged
        let deadline = ContinuousClock.now + Self.patience
        while ledger.counts.acknowledged == before, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(1))  // cancelled: seen above
        }
    }
}
