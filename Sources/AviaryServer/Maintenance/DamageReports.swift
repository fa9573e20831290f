import Synchronization

/// Makes the store check its file when a read of this process has met damage in it, at most once a minute. The store's
/// own statements may never come to that place.
final class DamageReports: Sendable {
    private static let pause: Duration = .seconds(60)

    private let last = Mutex<ContinuousClock.Instant?>(nil)
    private let checkFile: @Sendable () async -> Void

    init(checkFile: @escaping @Sendable () async -> Void) {
        self.checkFile = checkFile
    }

    /// Begins a task that asks for the check, where one is due. The read does not wait for it.
    func report() {
        guard isDue(at: .now) else { return }
        Task { [checkFile] in await checkFile() }
    }

    /// Whether the store has to be asked; counts as asking it.
    func isDue(at time: ContinuousClock.Instant) -> Bool {
        last.withLock { last in
            if let last, time < last + Self.pause { return false }
            last = time
            return true
        }
    }
}
