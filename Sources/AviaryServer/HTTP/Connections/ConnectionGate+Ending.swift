import HTTPTypes
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// How a connection ends.
extension ConnectionGate {
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard context.channel.isActive, mode != .input else {
            // Closing the input alone is how cancelled work says that it is over.
            return context.close(promise: promise)
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        end(context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is ArrivingBody.Ending else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        // It may have come to its end meanwhile.
        if input == .body { refuse(.crowded, context) }
        promise?.succeed()
    }

    /// Answers for the routes, and ends the connection. When a route has begun to answer, only the end can tell.
    func refuse(_ refusal: ConnectionRefusal, _ context: ChannelHandlerContext) {
        guard ending == .open, context.channel.isActive else { return }
        connections.metrics?.refused(status: refusal.status.code)
        let wasReadByRoute = input == .body || input == .complete
        if hasBegunAnswer {
            closeNow(context)
        } else {
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(refusal.bytes)), promise: nil)
            // Whoever drips goes on dripping, and has had its time.
            end(context, lingering: refusal.isOfSlowClient ? limits.lingeringSilence : limits.lingering)
        }
        // Cancelling the work would close the connection before the answer has arrived; the error ends it as well.
        if wasReadByRoute { context.fireErrorCaught(refusal) }
    }

    /// Ends the connection when everything that was answered has gone out.
    ///
    /// - Parameter lingering: how long the client may go on sending then; the limit unless said otherwise.
    func end(_ context: ChannelHandlerContext, lingering: TimeAmount? = nil) {
        guard ending == .open else { return }
        ending = .flushing
        held.clear()
        connections.turns.leave(self)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { result in
            guard case .success = result, !self.isInputClosed else { return self.closeNow(context) }
            self.linger(context, lingering ?? self.limits.lingering)
        }
        if isInputClosed {
            // The system would close both sides at once, and drop what still has to go out.
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: promise)
        } else {
            context.close(mode: .output, promise: promise)
        }
        if ending == .flushing { watchWriting(context) }
    }

    private func linger(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        guard context.channel.isActive else { return }
        ending = .lingering
        writing = nil
        let now = NIODeadline.now()
        lingeringEnd = now + time
        silenceEnd = now + limits.lingeringSilence
        look(by: nextDeadline, context)
        read(context: context)
    }

    /// Throws away what comes after the end.
    func discard(_ count: Int, _ context: ChannelHandlerContext) {
        discarded += count
        silenceEnd = .now() + limits.lingeringSilence
        if discarded > limits.lingeringSize { closeNow(context) }
    }

    func closeNow(_ context: ChannelHandlerContext) {
        context.close(promise: nil)
    }

    // MARK: Making room

    /// Closes a connection that has no request, unless one is waiting in the system already.
    func closeIfSilent(_ context: ChannelHandlerContext) {
        var byte: UInt8 = 0
        if recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) > 0 {
            // It is read in this turn of the event loop or the next one; if not, it is looked for again.
            since = .now()
        } else {
            closeNow(context)
        }
    }

    /// Since when it has had no request; nil while it has one.
    var silentSince: NIODeadline? {
        ending == .open && (input == .waiting || input == .head) ? since : nil
    }

    /// How far its body is behind, as the moment when its credit is used up; nil without a body that is waited for.
    var bodyDeadline: NIODeadline? {
        ending == .open && input == .body && isReading ? bodyCredit.deadline : nil
    }

    /// Looks at the deadlines again: draining brings them nearer.
    func beginDraining() {
        guard let context else { return }
        look(by: nextDeadline, context)
    }

    /// Gives its place to another connection.
    func makeRoom() {
        guard let context, ending == .open else { return }
        switch input {
        case .waiting: closeIfSilent(context)
        case .head:
            // Everything that came was read, so closing at once resets nothing.
            ending = .flushing
            connections.metrics?.refused(status: ConnectionRefusal.late.status.code)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(ConnectionRefusal.late.bytes)), promise: nil)
            closeNow(context)
        case .body: refuse(.crowded, context)
        case .complete: break
        }
    }
}

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
