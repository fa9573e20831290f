import AviaryDomain
import Synchronization

/// A queue that runs a bounded number of long reads at a time. The others wait in the order of their arrival.
final class LongReadQueue: Sendable {
    private struct State {
        var free: Int
        var nextTicket = 0
        var waiting: [(ticket: Int, turn: CheckedContinuation<ReadError?, Never>)] = []
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// The number of waiting reads.
    var length: Int { state.withLock { $0.waiting.count } }

    /// Waits for a place, which the caller returns with ``leave()``.
    ///
    /// - Throws: ``ReadError/Code/cancelled`` or ``ReadError/Code/queueFull``. There is no place to return in this
    ///   case.
    func enter(waitingAtMost limit: Duration, unless cancellationToken: CancellationToken) async throws(ReadError) {
        let ticket: Int? = state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            state.nextTicket += 1
            return state.nextTicket
        }
        guard let ticket else { return }
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        let refusal = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                wait(ticket, turn, unless: cancellationToken)
                timer = Task {
                    try await Task.sleep(for: limit)
                    reject(ticket, with: .queueFull(limit: limit))
                }
            }
        } onCancel: {
            // The request precedes the search in the queue, so that a read that is just entering the queue sees it.
            cancellationToken.request()
            reject(ticket, with: .cancelled)
        }
        if let refusal { throw refusal }
    }

    func leave() {
        let next: CheckedContinuation<ReadError?, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        next?.resume(returning: nil)
    }

    private func wait(
        _ ticket: Int, _ turn: CheckedContinuation<ReadError?, Never>, unless cancellationToken: CancellationToken
    ) {
        let answer: ReadError?? = state.withLock { state in
            if cancellationToken.isRequested { return .some(.cancelled) }
            // A place may have become free in the meantime.
            if state.free > 0 {
                state.free -= 1
                return .some(nil)
            }
            state.waiting.append((ticket, turn))
            return nil
        }
        if let answer { turn.resume(returning: answer) }
    }

    private func reject(_ ticket: Int, with error: ReadError) {
        let turn: CheckedContinuation<ReadError?, Never>? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index).turn
        }
        turn?.resume(returning: error)
    }
}
