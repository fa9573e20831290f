import HTTPTypes
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// The end of a connection.
extension ConnectionGate {
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard context.channel.isActive, mode != .input else {
            // A close of the input alone is the signal of cancelled work that it is over.
            return context.close(promise: promise)
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        end(context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is ArrivingBody.Ending else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        // The body may be complete by now.
        if input == .body { refuse(.crowded, context) }
        promise?.succeed()
    }

    /// Answers in place of the routes and ends the connection. If a route has already begun its answer, only the
    /// end of the connection reports the error.
    func refuse(_ refusal: ConnectionError, _ context: ChannelHandlerContext) {
        guard ending == .open, context.channel.isActive else { return }
        connections.metrics?.refused(status: refusal.status.code)
        let wasForwarded = isForwarded
        if hasBegunAnswer {
            closeNow(context)
        } else {
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(refusal.bytes)), promise: nil)
            // A slow client usually stays slow, and has used its time.
            end(context, lingering: refusal.isOfSlowClient ? limits.lingeringSilence : limits.lingering)
        }
        // Cancelling the work would close the connection before the answer has arrived. The error ends the work
        // too.
        if wasForwarded { context.fireErrorCaught(refusal) }
    }

    /// Ends the connection when all answers are sent.
    ///
    /// - Parameter lingering: The time for which the client may send afterward; by default the limit.
    func end(_ context: ChannelHandlerContext, lingering: TimeAmount? = nil) {
        guard ending == .open else { return }
        ending = .flushing
        held.clear()
        withheld = nil
        connections.turns.leave(self)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { result in
            guard case .success = result, !self.isInputClosed else { return self.closeNow(context) }
            self.linger(context, lingering ?? self.limits.lingering)
        }
        if isInputClosed {
            // The system would close both sides at once and drop the bytes that are not sent yet.
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
        scheduleDeadlineCheck(by: nextDeadline, context)
        read(context: context)
    }

    /// Discards bytes that arrive after the end.
    func discard(_ count: Int, _ context: ChannelHandlerContext) {
        discarded += count
        silenceEnd = .now() + limits.lingeringSilence
        if discarded > limits.lingeringSize { closeNow(context) }
    }

    func closeNow(_ context: ChannelHandlerContext) {
        context.close(promise: nil)
    }

    // MARK: Making room

    /// Closes a connection without a request, unless a request is already in the socket's receive buffer.
    func closeIfSilent(_ context: ChannelHandlerContext) {
        var byte: UInt8 = 0
        if recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) > 0 {
            // The event loop reads it in this iteration or the next one. If it does not, a later check finds it.
            since = .now()
        } else {
            closeNow(context)
        }
    }

    /// The time since which the connection has had no complete request head, or nil if it has one.
    var silentSince: NIODeadline? {
        ending == .open && (input == .waiting || input == .head) ? since : nil
    }

    /// The time at which the body's credit is used up, or nil if the gate waits for no body.
    var bodyDeadline: NIODeadline? {
        ending == .open && input == .body && isReading ? bodyCredit.deadline : nil
    }

    /// Schedules a new check of the deadlines, which draining brings nearer.
    func beginDraining() {
        guard let context else { return }
        scheduleDeadlineCheck(by: nextDeadline, context)
    }

    /// Ends the connection in favor of another one.
    func makeRoom() {
        guard let context, ending == .open else { return }
        switch input {
        case .waiting: closeIfSilent(context)
        case .head:
            // All bytes that arrived were read, so closing at once causes no reset.
            ending = .flushing
            connections.metrics?.refused(status: ConnectionError.late.status.code)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(ConnectionError.late.bytes)), promise: nil)
            closeNow(context)
        case .body: refuse(.crowded, context)
        case .complete: break
        }
    }
}

// Every moment of a connection has a deadline. One scheduled check per connection finds out whether it has passed.
// A request that ends in time schedules nothing.
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
            // A request that has begun may complete. Twice the time of a silent connection is enough for that.
            return connections.draining.map { min(deadline, max($0.begin, since) + $0.linger + $0.linger) } ?? deadline
        case .body: return isReading ? bodyCredit.deadline : .distantFuture
        case .complete: return departure ?? .distantFuture
        }
    }

    /// Ensures that the deadlines are checked by a given time.
    func scheduleDeadlineCheck(by deadline: NIODeadline, _ context: ChannelHandlerContext) {
        if let check {
            guard deadline < check.at else { return }
            check.task.cancel()
        }
        // Even without a deadline the gate checks now and then, so that a new deadline usually needs no new task.
        let at = min(deadline, .now() + limits.idle)
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: at) { self.checkDeadlines() }
        check = (at, task)
    }

    func checkDeadlines() {
        guard let context else { return }
        check = nil
        let now = NIODeadline.now()
        creditWriting(context, at: now)
        if nextDeadline <= now { pass(context, at: now) }
        guard self.context != nil else { return }
        scheduleDeadlineCheck(by: nextDeadline, context)
    }

    /// Handles a deadline that has passed.
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
