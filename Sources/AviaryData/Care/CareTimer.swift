import Synchronization

/// Lets a store look after its file from time to time, until it is cancelled or gone.
final class CareTimer: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter step: Returns how long to pause; nil for ever.
    func start(after pause: Duration, _ step: @escaping @Sendable () async -> Duration?) {
        let new = Task {
            var pause: Duration? = pause
            while let length = pause {
                do { try await Task.sleep(for: length) } catch { return }
                pause = await step()
            }
        }
        task.withLock { $0 = new }
    }

    func cancel() {
        task.withLock { $0 }?.cancel()
    }

    deinit {
        cancel()
    }
}
