import AviaryDomain
import Foundation
import Synchronization

/// Does one piece of long work at a time, each on a thread that gives way to those that serve.
final class QueueThread: Sendable {
    /// Why work was not done.
    enum Refusal: Error {
        /// As much waits as may.
        case full(waiting: Int)
        /// Whoever asked for it went away before its turn came.
        case cancelled
    }

    private struct Job: Sendable {
        let ticket: Int
        /// True when its turn has come, false when nobody waits for it any more.
        let begin: @Sendable (Bool) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var nextTicket = 0
        var isWorking = false
    }

    /// It leaves the work about a quarter of a core that is asked for all the time: with 10, a tenth, signing in starves on a busy machine.
    private static let niceness: Int32 = 5

    private let name: String
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many may wait, the one that is at work not counted.
    init(name: String, limit: Int) {
        self.name = name
        self.limit = limit
    }

    /// How many wait.
    var length: Int { state.withLock { $0.waiting.count } }

    /// Waits for its turn. Work that has begun is brought to its end, also when nobody waits for it any more.
    ///
    /// - Throws: ``Refusal``.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(Refusal) -> Value {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let result: Result<Value, Refusal> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(ticket: ticket) { hasTurn in
                    continuation.resume(
                        returning: hasTurn
                            ? .success(Thread.givingWay(niceness: Self.niceness, work)) : .failure(.cancelled))
                }
                if let refusal = add(job) { continuation.resume(returning: .failure(refusal)) }
            }
        } onCancel: {
            withdraw(ticket)
        }
        return try result.get()
    }

    private func add(_ job: Job) -> Refusal? {
        let (refusal, needsThread): (Refusal?, Bool) = state.withLock { state in
            // Who is cancelled from now on finds the job in the line.
            if Task.isCancelled { return (.cancelled, false) }
            guard state.waiting.count < limit else { return (.full(waiting: state.waiting.count), false) }
            state.waiting.append(job)
            defer { state.isWorking = true }
            return (nil, !state.isWorking)
        }
        if needsThread { start() }
        return refusal
    }

    private func withdraw(_ ticket: Int) {
        let job: Job? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index)
        }
        job?.begin(false)
    }

    private func start() {
        Thread.detachNewThread { [self] in
            Thread.current.name = name
            while let job = next() { job.begin(true) }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
