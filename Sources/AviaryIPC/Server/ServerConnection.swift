import AviaryDomain
import Foundation
import NIOCore
import Synchronization

/// The state that the answers of one connection share across threads: the outbox and the requests in flight.
final class ServerConnection: Sendable {
    let outbox: FrameWriteBuffer
    /// The budget of all clients together.
    private let budget: InFlightLimit
    private let inFlight = Atomic<Int>(0)
    private let isAwaited = Atomic<Bool>(false)
    /// The version of the protocol on which both sides have agreed.
    private let version = Atomic<UInt8>(0)
    private let onAnswer: Mutex<(@Sendable () -> Void)?> = Mutex(nil)
    /// The holders whose leases this connection keeps; nil once it has ended.
    private let holders: Mutex<Set<UUID>?> = Mutex([])

    init(outbox: FrameWriteBuffer, budget: InFlightLimit) {
        self.outbox = outbox
        self.budget = budget
    }

    var requestsInFlight: Int { inFlight.load(ordering: .sequentiallyConsistent) }

    /// Admits a request. Returns false when all clients together have too much in flight.
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

    /// Sets the version of the protocol on which both sides have agreed.
    func speak(_ agreed: UInt8) {
        version.store(agreed, ordering: .relaxed)
    }

    /// Tells the client that a request waits for a large delete or undo, if the client knows this message.
    func postpone(_ id: UInt64) {
        guard version.load(ordering: .relaxed) >= ProtocolVersions.firstWithPostponement else { return }
        outbox.append { $0.writeFrame(.postponed, id: id) { _ in } }
    }

    /// Answers a request that was not begun.
    func send(_ id: UInt64, _ response: StoreResponse) {
        outbox.append { $0.writeFrame(.answer, id: id, body: response.write) }
    }

    /// Sets the function that is called after an answer that was waited for.
    ///
    /// - Parameter body: The function. It is called on any thread.
    func whenAnswered(_ body: (@Sendable () -> Void)?) {
        onAnswer.withLock { $0 = body }
    }

    /// Requests a call after the next answer.
    ///
    /// The caller must read ``requestsInFlight`` once more afterwards, because the answer may have come before
    /// this call.
    func awaitAnswer() {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
    }

    /// Adds a holder, whose lease lasts as long as this connection. Returns false when the connection has ended.
    func addHolder(_ holder: UUID) -> Bool {
        holders.withLock { $0?.insert(holder) != nil }
    }

    /// Indicates whether the connection has ended.
    var hasEnded: Bool { holders.withLock { $0 == nil } }

    func removeHolder(_ holder: UUID) {
        holders.withLock { _ = $0?.remove(holder) }
    }

    /// Returns the holders, whose leases end now. The connection counts as ended from then on.
    func releaseLeases() -> Set<UUID> {
        holders.withLock { holders in
            defer { holders = nil }
            return holders ?? []
        }
    }
}

/// The open connections, kept so that the server can end them.
final class StoreConnectionRegistry: Sendable {
    private struct State {
        var drains: [ObjectIdentifier: (channel: any Channel, drain: @Sendable () -> Void)] = [:]
        var isDraining = false
        var hasRefused = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a connection. Returns false when the limit is reached or the server is draining.
    func add(_ channel: any Channel, drain: @escaping @Sendable () -> Void) -> Bool {
        let isAdded = state.withLock { state in
            guard !state.isDraining, state.drains.count < limit else { return false }
            state.drains[ObjectIdentifier(channel)] = (channel, drain)
            state.hasRefused = false
            return true
        }
        if isAdded {
            channel.closeFuture.whenComplete { _ in
                self.state.withLock { _ = $0.drains.removeValue(forKey: ObjectIdentifier(channel)) }
            }
        }
        return isAdded
    }

    /// Indicates whether this refusal is the first since a connection was admitted.
    ///
    /// The server logs only the first refusal in a row.
    var isFirstRefusal: Bool {
        state.withLock { state in
            defer { state.hasRefused = true }
            return !state.hasRefused
        }
    }

    var isEmpty: Bool { state.withLock { $0.drains.isEmpty } }

    func drain() {
        let drains = state.withLock { state in
            state.isDraining = true
            return Array(state.drains.values)
        }
        for (_, drain) in drains { drain() }
    }

    func close() {
        for (channel, _) in state.withLock({ Array($0.drains.values) }) { channel.close(promise: nil) }
    }
}
