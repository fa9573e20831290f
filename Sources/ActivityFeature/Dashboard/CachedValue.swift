import Foundation
import Synchronization

/// Something that takes a while to find out, kept for a time and found out again beside those who ask: nobody waits for what
/// was known before.
package final class CachedValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        /// Finds it out right now.
        var finding: Task<Value?, Never>?
        var due = ContinuousClock.now
    }

    private let lifetime: Duration
    private let patience: Duration
    private let find: @Sendable () async throws -> Value
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: Where nothing is known yet one waits so long, and then goes without.
    ///   - find: Called once at a time. What it throws leaves the value as it was.
    package init(
        for lifetime: Duration, patience: Duration = .milliseconds(500),
        find: @escaping @Sendable () async throws -> Value
    ) {
        self.lifetime = lifetime
        self.patience = patience
        self.find = find
    }

    /// The value as it was found out last; nil when that takes longer than somebody should wait.
    package func current() async -> Value? {
        let (value, finding) = begin()
        guard value == nil, let finding else { return value }
        let (found, news) = AsyncStream.makeStream(of: Value?.self)
        Task { news.yield(await finding.value) }
        // Cancelled, nobody waits any more.
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
