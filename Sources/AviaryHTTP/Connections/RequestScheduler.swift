import NIOCore
import Synchronization

/// The turns of connections with pipelined requests, which clients send before the previous answer.
///
/// An event loop polls its sockets only when it has nothing else to do. If each answer forwarded the next request
/// of its connection at once, pipelining clients would keep the event loop from polling until all their requests
/// are answered. Each turn therefore forwards a few requests, and the next turn begins a moment after they are
/// answered. The event loop polls its sockets in between.
///
/// All calls are on the event loop, as those of the gates are.
final class RequestScheduler {
    /// The number of requests per turn.
    private static let few = 4
    /// The time from the last answer of a turn to the next turn.
    private static let pause = TimeAmount.milliseconds(1)
    /// The time after which a turn ends, answered or not. A request that takes longer waits for something other
    /// than the processor.
    private static let longest = TimeAmount.milliseconds(250)

    private let eventLoop: any EventLoop
    private var waiting = CircularBuffer<ConnectionGate>()
    /// The number of the current turn.
    private var turn = 0
    /// The number of requests that this turn can still forward.
    private var left = few
    /// The number of this turn's requests that are not answered.
    private var underWay = 0
    private var next: Scheduled<Void>?

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Forwards a pipelined request, or queues its gate until ``ConnectionGate/takeTurn()``.
    ///
    /// - Returns: Whether the request may be forwarded now.
    func enter(_ gate: ConnectionGate) -> Bool {
        if left > 0 {
            admit(gate)
            return true
        }
        gate.isWaitingForTurn = true
        waiting.append(gate)
        if next == nil { schedule(in: underWay == 0 ? Self.pause : Self.longest) }
        return false
    }

    /// Ends the turn of a gate, if it has one, because its request is answered or incomplete.
    func leave(_ gate: ConnectionGate) {
        defer { gate.turn = nil }
        guard gate.turn == turn else { return }
        underWay -= 1
        if underWay == 0, left == 0 { schedule(in: Self.pause) }
    }

    private func admit(_ gate: ConnectionGate) {
        left -= 1
        underWay += 1
        gate.turn = turn
    }

    private func schedule(in time: TimeAmount) {
        next?.cancel()
        next = eventLoop.assumeIsolated().scheduleTask(in: time) { self.runTurn() }
    }

    private func runTurn() {
        next = nil
        turn += 1
        left = Self.few
        underWay = 0
        while left > 0, let gate = waiting.popFirst() {
            gate.isWaitingForTurn = false
            guard gate.context != nil, gate.ending == .open else { continue }
            admit(gate)
            gate.forwardPipelined()
        }
        if !waiting.isEmpty { schedule(in: underWay == 0 ? Self.pause : Self.longest) }
    }
}

@available(*, unavailable)
extension RequestScheduler: Sendable {}

/// The limit of the requests that a process handles concurrently. A request whose body is still arriving does not
/// count.
///
/// Beyond the limit the server rejects requests, because a queue would only delay all of them. Requests that may
/// change something have a limit of their own: they wait when the store process is not running, and pages have to
/// stay readable meanwhile.
package final class RequestAdmission: Sendable {
    private let limit: Int
    private let changeLimit: Int
    private let requests = Atomic(0)
    private let changes = Atomic(0)

    /// Creates the limits.
    ///
    /// - Parameters:
    ///   - limit: The largest number of concurrent requests.
    ///   - changeLimit: The largest number of concurrent requests that may change something. They also count toward
    ///     `limit`.
    package init(limit: Int = 512, changeLimit: Int = 384) {
        self.limit = limit
        self.changeLimit = changeLimit
    }

    /// The number of requests that are being handled.
    var inFlight: Int { requests.load(ordering: .relaxed) }

    /// Admits a request if the limits permit it.
    ///
    /// - Returns: Whether the request is admitted. If so, the caller must call ``leave(isChange:)`` later.
    func enter(isChange: Bool) -> Bool {
        if isChange, changes.wrappingAdd(1, ordering: .relaxed).oldValue >= changeLimit {
            changes.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        if requests.wrappingAdd(1, ordering: .relaxed).oldValue >= limit {
            leave(isChange: isChange)
            return false
        }
        return true
    }

    func leave(isChange: Bool) {
        requests.wrappingSubtract(1, ordering: .relaxed)
        if isChange { changes.wrappingSubtract(1, ordering: .relaxed) }
    }
}

/// The admission of one request. The request releases it while its body arrives.
package final class AdmissionTicket: Sendable {
    private let admission: RequestAdmission
    private let isChange: Bool
    private let isHeld = Mutex(false)

    /// Creates a ticket, or returns nil if the limits are reached.
    package init?(_ admission: RequestAdmission, isChange: Bool) {
        self.admission = admission
        self.isChange = isChange
        guard enter() else { return nil }
    }

    /// Admits the request unless it is admitted already.
    ///
    /// - Returns: Whether the request is admitted now.
    func enter() -> Bool {
        isHeld.withLock { isHeld in
            if !isHeld { isHeld = admission.enter(isChange: isChange) }
            return isHeld
        }
    }

    package func leave() {
        isHeld.withLock { isHeld in
            if isHeld { admission.leave(isChange: isChange) }
            isHeld = false
        }
    }
}
