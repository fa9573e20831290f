import NIOCore

/// The turns of connections whose client sent a request before the last one was answered.
///
/// An event loop looks at its sockets when it has nothing else to do. If each answer let the next request of its
/// connection through at once, clients that send ahead would keep it from looking until all their requests are answered.
/// So a few requests are let through, and the next ones a moment after these were answered: the event loop looks at its
/// sockets in between. It works on its event loop alone, as the gates do.
final class RequestTurns {
    /// The requests of one turn.
    private static let few = 4
    /// The time from the last answer of a turn to the next turn.
    private static let pause = TimeAmount.milliseconds(1)
    /// The time after which a turn is over, answered or not: what takes longer waits for something else.
    private static let longest = TimeAmount.milliseconds(250)

    private let eventLoop: any EventLoop
    private var waiting = CircularBuffer<ConnectionGate>()
    /// The number of the turn.
    private var turn = 0
    /// The requests that this turn can still let through.
    private var left = few
    /// The requests of this turn that are not answered.
    private var underWay = 0
    private var next: Scheduled<Void>?

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Lets a request through that was sent ahead, or lets its gate wait for ``ConnectionGate/takeTurn()``.
    ///
    /// - Returns: whether it is let through now.
    func enter(_ gate: ConnectionGate) -> Bool {
        if left > 0 {
            letThrough(gate)
            return true
        }
        gate.isWaitingForTurn = true
        waiting.append(gate)
        if next == nil { schedule(in: underWay == 0 ? Self.pause : Self.longest) }
        return false
    }

    /// Ends the turn of a gate, if it has one: its request is answered, or is not whole.
    func leave(_ gate: ConnectionGate) {
        defer { gate.turn = nil }
        guard gate.turn == turn else { return }
        underWay -= 1
        if underWay == 0, left == 0 { schedule(in: Self.pause) }
    }

    private func letThrough(_ gate: ConnectionGate) {
        left -= 1
        underWay += 1
        gate.turn = turn
    }

    private func schedule(in time: TimeAmount) {
        next?.cancel()
        next = eventLoop.assumeIsolated().scheduleTask(in: time) { self.takeTurn() }
    }

    private func takeTurn() {
        next = nil
        turn += 1
        left = Self.few
        underWay = 0
        while left > 0, let gate = waiting.popFirst() {
            gate.isWaitingForTurn = false
            guard gate.context != nil, gate.ending == .open else { continue }
            letThrough(gate)
            gate.takeTurn()
        }
        if !waiting.isEmpty { schedule(in: underWay == 0 ? Self.pause : Self.longest) }
    }
}

@available(*, unavailable)
extension RequestTurns: Sendable {}
