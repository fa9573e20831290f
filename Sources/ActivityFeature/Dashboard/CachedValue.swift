import Foundation
import Synchronization

/// A value that takes a while to compute. It is cached for some time and then refreshed in the background, so that
/// callers get the previous value without waiting.
package final class CachedValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        /// The computation in progress.
        var finding: Task<Value?, Never>?
        var due = ContinuousClock.now
    }

    private let lifetime: Duration
    private let patience: Duration
    private let find: @Sendable () async throws -> Value
    private let state = Mutex(State())

    /// Creates a cached value.
    ///
    /// - Parameters:
    ///   - patience: The longest wait for the first value. After it, callers get nil.
    ///   - find: A closure that computes the value. Only one call runs at a time. If it throws an error, the
    ///     previous value is kept.
    package init(
        for lifetime: Duration, patience: Duration = .milliseconds(500),
        find: @escaping @Sendable () async throws -> Value
    ) {
        self.lifetime = lifetime
        self.patience = patience
        self.find = find
    }

    /// Returns the last computed value, or nil if the first computation exceeds the longest wait.
    package func current() async -> Value? {
        let (value, finding) = begin()
        guard value == nil, let finding else { return value }
        let (found, news) = AsyncStream.makeStream(of: Value?.self)
        Task { news.yield(await finding.value) }
        // If the sleep is cancelled, the stream finishes and nobody waits any longer.
        let patience = Task { [patience] in
            try? await Task.sleep(for: patience)
            news.finish()
        }
        defer { patience.cancel() }
        for await value in found { return value }
        return nil
    }

    private func begin() -> (value: Value?, finding: Task<Value?, Never>?) {
        state.withLock { state in
            if state.finding == nil, state.due <= .now { state.finding = Task { await self.found() } }
            return (state.value, state.finding)
        }
    }

    private func found() async -> Value? {
        let found = try? await find()  // the next who asks after a while has it tried again
        state.withLock { state in
            if let found { state.value = found }
            state.finding = nil
            state.due = .now + lifetime
        }
        return found
    }
}
