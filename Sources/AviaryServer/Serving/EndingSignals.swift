import ServiceLifecycle
import Synchronization
import UnixSignals

/// How a process that serves is told to end: SIGTERM lets it wait a little for what its clients may still send, SIGINT
/// hardly. What has begun is answered either way.
final class EndingSignals: Sendable {
    private static let patience: Duration = .seconds(1)
    /// Nobody at a terminal notices it, and what is just on its way arrives.
    private static let hurriedPatience: Duration = .milliseconds(200)

    private let isHurried = Atomic(false)

    /// How long connections without a request are waited for.
    var linger: Duration { isHurried.load(ordering: .acquiring) ? Self.hurriedPatience : Self.patience }

    /// Runs the group until a signal ends it.
    func run(_ group: ServiceGroup) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let ending = Task {
            for await signal in signals {
                if signal == .sigint { isHurried.store(true, ordering: .releasing) }
                await group.triggerGracefulShutdown()
            }
        }
        defer { ending.cancel() }
        try await group.run()
    }
}
