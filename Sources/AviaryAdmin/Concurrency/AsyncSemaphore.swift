import NIOCore
import Synchronization

/// A limit for concurrent tasks. Further tasks wait, first in, first out.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// The number of waiting tasks.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs a task as soon as the limit permits it.
    ///
    /// - Throws: `CancellationError` if the caller was cancelled before the task began; the error of the task.
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

    /// Passes the place to the next waiting task.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
