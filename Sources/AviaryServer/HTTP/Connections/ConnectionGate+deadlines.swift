import NIOCore

// Every moment of a connection has a deadline. One scheduled look a connection finds out whether it has passed; a
// request that comes and goes in time schedules nothing.
extension ConnectionGate {
    var nextDeadline: NIODeadline {
        let own: NIODeadline
        switch ending {
        case .open: own = inputDeadline
        case .flushing: own = .distantFuture
        case .lingering: own = min(lingeringEnd, silenceEnd)
        }
        return min(own, writing?.credit.deadline ?? .distantFuture)
    }

    private var inputDeadline: NIODeadline {
        switch input {
        case .waiting:
            let deadline = since + (isUsed ? limits.idle : limits.head)
            return connections.draining.map { min(deadline, max($0.begin, since) + $0.linger) } ?? deadline
        case .head:
            let deadline = since + limits.head
            // What has begun may come to its end, and twice the time that a silent connection has is much for that.
            return connections.draining.map { min(deadline, max($0.begin, since) + $0.linger + $0.linger) } ?? deadline
        case .body: return isReading ? bodyCredit.deadline : .distantFuture
        case .complete: return departure ?? .distantFuture
        }
    }

    /// Makes sure that the deadlines are looked at by then.
    func look(by deadline: NIODeadline, _ context: ChannelHandlerContext) {
        if let check {
            guard deadline < check.at else { return }
            check.task.cancel()
        }
        // With nothing due there is still a look now and then: a deadline that comes up needs no new one then.
        let at = min(deadline, .now() + limits.idle)
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: at) { self.lookNow() }
        check = (at, task)
    }

    func lookNow() {
        guard let context else { return }
        check = nil
        let now = NIODeadline.now()
        earnWriting(context, at: now)
        if nextDeadline <= now { pass(context, at: now) }
        guard self.context != nil else { return }
        look(by: nextDeadline, context)
    }

    /// What a passed deadline brings.
    private func pass(_ context: ChannelHandlerContext, at now: NIODeadline) {
        if let writing, writing.credit.deadline <= now { return closeNow(context) }
        guard ending == .open else { return closeNow(context) }
        switch input {
        case .waiting: closeIfSilent(context)
        case .head, .body: refuse(.late, context)
        case .complete:
            departure = nil
            work.cancel()
        }
    }
}
