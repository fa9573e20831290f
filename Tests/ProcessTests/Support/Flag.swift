import Synchronization

/// Tells those who go on until told otherwise. Cancelling them would break off a request.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock { $0 } }

    /// - Returns: whether this is the first time.
    @discardableResult
    func raise() -> Bool {
        state.withLock { isRaised in
            defer { isRaised = true }
            return !isRaised
        }
    }
}
