/// Kills a process again and again while the load goes on.
struct KillSchedule: Sendable {
    let plan: LoadPlan
    let server: SelfHostedServer?
    let start: ContinuousClock.Instant

    /// Returns when the load is over.
    func run() async throws -> [Kill] {
        guard let kill = plan.kill, let server else { return [] }
        var kills: [Kill] = []
        var next = start + kill.interval
        // The last one early enough that its damage is done under load.
        while next < start + plan.duration {
            try await ContinuousClock().sleep(until: next)
            let time = ContinuousClock.now - start
            if let victim = try await server.kill(kill.target) {
                kills.append(Kill(process: victim.name, pid: victim.pid, seconds: time.seconds))
            }
            next = max(next + kill.interval, .now)
        }
        return kills
    }
}
