import AviaryDomain
import Foundation
import NIOCore
import Synchronization

/// What the answers of one connection share, from any thread: the way back, and how much is under way.
final class ServerConnection: Sendable {
    let outbox: Outbox
    /// Of all clients together.
    private let budget: RequestWindow
    private let inFlight = Atomic<Int>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let onAnswer: Mutex<(@Sendable () -> Void)?> = Mutex(nil)
    /// The holders whose writes this connection holds; nil once it has ended.
    private let holders: Mutex<Set<UUID>?> = Mutex([])

    init(outbox: Outbox, budget: RequestWindow) {
        self.outbox = outbox
        self.budget = budget
    }

    var requestsInFlight: Int { inFlight.load(ordering: .sequentiallyConsistent) }

    /// False when all clients together have too much under way.
    func begin(bytes: Int) -> Bool {
        guard budget.enter(bytes: bytes) else { return false }
        inFlight.add(1, ordering: .sequentiallyConsistent)
        return true
    }

    func answer(_ id: UInt64, _ response: StoreResponse, bytes: Int) {
        send(id, response)
        budget.leave(bytes: bytes)
        inFlight.subtract(1, ordering: .sequentiallyConsistent)
        guard isAwaited.exchange(false, ordering: .sequentiallyConsistent) else { return }
        onAnswer.withLock { $0 }?()
    }

    /// Answers a request that was not begun.
    func send(_ id: UInt64, _ response: StoreResponse) {
        outbox.append { $0.writeFrame(.answer, id: id, body: response.write) }
    }

    /// - Parameter body: Called on any thread after an answer that was waited for.
    func whenAnswered(_ body: (@Sendable () -> Void)?) {
        onAnswer.withLock { $0 = body }
    }

    /// Asks to be told of the next answer. Whoever does looks at ``requestsInFlight`` once more: it may have come before.
    func awaitAnswer() {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
    }

    /// Adds a holder, whose hold lasts as long as this connection. False when the connection has ended.
    func addHolder(_ holder: UUID) -> Bool {
        holders.withLock { $0?.insert(holder) != nil }
    }

    func removeHolder(_ holder: UUID) {
        holders.withLock { _ = $0?.remove(holder) }
    }

    /// Returns the holders, whose holds end now. The connection counts as ended from then on.
    func endHolds() -> Set<UUID> {
        holders.withLock { holders in
            defer { holders = nil }
            return holders ?? []
        }
    }
}
