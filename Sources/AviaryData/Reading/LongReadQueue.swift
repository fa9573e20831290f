import AviaryDomain
import Foundation
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

/// The maximum size of the write-ahead log while long reads run.
///
/// A long read prevents the removal of everything that was written since it began.
package struct LogBound: Sendable {
    /// The size in bytes above which no long read starts.
    package var admission = 80 << 20
    /// The size in bytes above which running reads are interrupted.
    package var limit = 112 << 20

    package init() {}

    package init(admission: Int, limit: Int) {
        self.admission = admission
        self.limit = limit
    }
}

/// The file of a store's write-ahead log, whose size all processes can read.
struct LogFile: Sendable {
    private let directory: DataDirectory
    let bound: LogBound

    init(of directory: DataDirectory, bound: LogBound) {
        self.directory = directory
        self.bound = bound
    }

    var isTooLargeToBegin: Bool { size > bound.admission }
    /// The approximate number of pages.
    var pages: Int { size / 4096 }
    fileprivate var isTooLarge: Bool { size > bound.limit }

    /// The size in bytes; 0 if there is no file.
    private var size: Int {
        var status = stat()
        return stat(directory.storeFilePath + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }
}

/// A watch that interrupts a read when the log has become too large. It works until it is deallocated.
final class LogGrowthMonitor: Sendable {
    private static let pause: Duration = .milliseconds(50)

    private let hasEnded = Atomic<Bool>(false)
    private let timer = MaintenanceTimer()

    /// Starts the watch.
    ///
    /// - Parameter cancellationToken: The token that cancels the read.
    init(_ log: LogFile, ending cancellationToken: CancellationToken) {
        timer.start(after: Self.pause) { [weak self] in
            guard let self else { return nil }
            guard log.isTooLarge else { return Self.pause }
            hasEnded.store(true, ordering: .releasing)
            cancellationToken.request()
            return nil
        }
    }

    /// Indicates whether this watch interrupted the read.
    var hasEndedRead: Bool { hasEnded.load(ordering: .acquiring) }
}
