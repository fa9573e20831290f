import Foundation
import Synchronization

/// Something that takes a while to find out, kept for a time and found out again beside those who ask: nobody waits for what
/// was known before.
package final class KeptValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var isFindingOut = false
        var due = ContinuousClock.now
    }

    private let lifetime: Duration
    private let find: @Sendable () async throws -> Value
    private let state = Mutex(State())

    /// - Parameter find: Called once at a time. What it throws leaves the value as it was.
    package init(for lifetime: Duration, find: @escaping @Sendable () async throws -> Value) {
        self.lifetime = lifetime
        self.find = find
    }

    /// Where nothing is known yet one waits so long, and then goes without.
    private static var patience: Int { 25 }
    private static var step: Duration { .milliseconds(20) }

    /// The value as it was found out last; nil when that takes longer than somebody should wait.
    package func current() async -> Value? {
        begin()
        for _ in 0..<Self.patience {
            let (value, isFindingOut) = state.withLock { ($0.value, $0.isFindingOut) }
            if value != nil || !isFindingOut { return value }
            // Cancelled, nobody waits any more.
            guard (try? await Task.sleep(for: Self.step)) != nil else { return nil }
        }
        return nil
    }

    private func begin() {
        let isDue = state.withLock { state in
            guard !state.isFindingOut, state.due <= .now else { return false }
            state.isFindingOut = true
            return true
        }
        guard isDue else { return }
        Task {
            let found = try? await find()  // the next who asks after a while has it tried again
            state.withLock { state in
                if let found { state.value = found }
                state.isFindingOut = false
                state.due = .now + lifetime
            }
        }
    }
}
