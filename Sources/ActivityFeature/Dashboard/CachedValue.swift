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
        /// The earliest time to replace an outdated value.
        var earliest = ContinuousClock.now
    }

    /// The time between two computations of outdated values, as a multiple of the time that one takes.
    private static var restraint: Int { 20 }

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
    ///
    /// An outdated value is computed again before its time is over, and callers wait for the new one up to the
    /// longest wait. A value that takes long to compute is replaced less often, so that it costs little in any case.
    ///
    /// - Parameter isOutdated: A closure that returns whether a value no longer agrees with what the caller knows.
    package func current(unless isOutdated: @Sendable (Value) -> Bool = { _ in false }) async -> Value? {
        let (value, finding) = begin(unless: isOutdated)
        guard let finding else { return value }
        let (found, news) = AsyncStream.makeStream(of: Value?.self)
        Task { news.yield(await finding.value) }
        let patience = Task { [patience] in
            // If the sleep is cancelled, the stream finishes and nobody waits any longer.
            try? await Task.sleep(for: patience)
            news.finish()
        }
        defer { patience.cancel() }
        for await new in found { return new ?? value }
        return value
    }

    /// Starts a computation if one is due, and returns the last value and the computation to wait for.
    private func begin(
        unless isOutdated: @Sendable (Value) -> Bool
    ) -> (value: Value?, finding: Task<Value?, Never>?) {
        state.withLock { state in
            let isOutdated = state.value.map(isOutdated) ?? false
            let isDue = state.due <= .now || (isOutdated && state.earliest <= .now)
            if state.finding == nil, isDue { state.finding = Task { await self.found() } }
            return (state.value, state.value == nil || isOutdated ? state.finding : nil)
        }
    }

    private func found() async -> Value? {
        let start = ContinuousClock.now
        let found = try? await find()  // the next who asks after a while has it tried again
        state.withLock { state in
            if let found { state.value = found }
            state.finding = nil
            state.due = .now + lifetime
            state.earliest = .now + start.duration(to: .now) * Self.restraint
        }
        return found
    }
}
