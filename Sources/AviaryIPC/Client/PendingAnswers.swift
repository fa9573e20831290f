import AviaryDomain
import NIOCore
import Synchronization

/// The requests of one connection whose answers have not come, each found by its id.
final class PendingAnswers: Sendable {
    enum Outcome: Sendable {
        case answered(ByteBuffer)
        /// The connection ended before the answer came, or it did not come in time: whether the request was done is not known.
        case lost
    }

    private struct Entry {
        /// Until when it is waited for.
        let end: MonotonicTime
        let resume: @Sendable (Outcome) -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var nextID: UInt64 = 1
        var isClosed = false
    }

    private let state = Mutex(State())

    var isWaiting: Bool { state.withLock { !$0.entries.isEmpty } }

    /// Nil when the connection has ended.
    func add(until end: MonotonicTime, resume: @escaping @Sendable (Outcome) -> Void) -> UInt64? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let id = state.nextID
            state.nextID += 1
            state.entries[id] = Entry(end: end, resume: resume)
            return id
        }
    }

    func answer(_ id: UInt64, _ body: ByteBuffer) {
        state.withLock { $0.entries.removeValue(forKey: id) }?.resume(.answered(body))
    }

    /// Gives up what has waited for too long.
    ///
    /// - Returns: Whether others wait on.
    func giveUpLate() -> Bool {
        let now = MonotonicTime.now
        let (late, isWaiting) = state.withLock { state in
            let late = state.entries.filter { $0.value.end < now }
            for id in late.keys { state.entries.removeValue(forKey: id) }
            return (late.values.map(\.resume), !state.entries.isEmpty)
        }
        for resume in late { resume(.lost) }
        return isWaiting
    }

    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            defer { state.entries = [:] }
            return state.entries
        }
        for entry in entries.values { entry.resume(.lost) }
    }
}
