import Synchronization

/// Tells those who go on until told otherwise. Cancelling them would break off a request.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock { $0 } }

    func raise() {
        state.withLock { $0 = true }
    }
}
