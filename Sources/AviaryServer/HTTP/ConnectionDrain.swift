import NIOConcurrencyHelpers
import NIOCore

/// Ends a server's connections without failing a request: every answer says
/// `Connection: close`, and what is still open after a while is closed as soon as it is idle.
final class ConnectionDrain: Sendable {
    private struct State {
        var isDraining = false
        var open: [ObjectIdentifier: any Channel] = [:]
    }

    private let state = NIOLockedValueBox(State())
    private let linger: Duration

    init(linger: Duration) {
        self.linger = linger
    }

    var isDraining: Bool { state.withLockedValue(\.isDraining) }

    func track(_ channel: any Channel) {
        state.withLockedValue { $0.open[ObjectIdentifier(channel)] = channel }
        channel.closeFuture.whenComplete { _ in
            self.state.withLockedValue { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    func begin() {
        state.withLockedValue { $0.isDraining = true }
        Task {
            try? await Task.sleep(for: linger)  // a cancelled wait only ends the grace period early
            for channel in state.withLockedValue({ Array($0.open.values) }) {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        }
    }
}
