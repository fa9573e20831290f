import NIOCore
import Synchronization

/// A bound on how many do the same work at a time. The others wait, the first come first.
final class WaitingPlaces: Sendable {
    private struct State {
        var free: Int
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// The number of those that wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Does the work when there is a place for it.
    ///
    /// - Throws: `CancellationError` when the task was cancelled before; the error of the work.
    func use<Result>(_ work: () async throws -> Result) async throws -> Result {
        await enter()
        defer { leave() }
        try Task.checkCancellation()
        return try await work()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Hands the place to the next one.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
