import NIOCore
import Synchronization

/// The connections that there are, so that they can be ended.
final class OpenConnections: Sendable {
    private struct State {
        var drains: [ObjectIdentifier: (channel: any Channel, drain: @Sendable () -> Void)] = [:]
        var isDraining = false
        var hasRefused = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// False when there are as many as there may be, or no more are wanted.
    func add(_ channel: any Channel, drain: @escaping @Sendable () -> Void) -> Bool {
        let isAdded = state.withLock { state in
            guard !state.isDraining, state.drains.count < limit else { return false }
            state.drains[ObjectIdentifier(channel)] = (channel, drain)
            state.hasRefused = false
            return true
        }
        if isAdded {
            channel.closeFuture.whenComplete { _ in
                self.state.withLock { _ = $0.drains.removeValue(forKey: ObjectIdentifier(channel)) }
            }
        }
        return isAdded
    }

    /// Whether none was refused since the last that was not: of many in a row one is told.
    var isFirstRefusal: Bool {
        state.withLock { state in
            defer { state.hasRefused = true }
            return !state.hasRefused
        }
    }

    var isEmpty: Bool { state.withLock { $0.drains.isEmpty } }

    func drain() {
        let drains = state.withLock { state in
            state.isDraining = true
            return Array(state.drains.values)
        }
        for (_, drain) in drains { drain() }
    }

    func close() {
        for (channel, _) in state.withLock({ Array($0.drains.values) }) { channel.close(promise: nil) }
    }
}
