import NIOCore
import NIOHTTP1

// The outbound side: the answers of the routes, which arrive through ``ResponseHandler``.
extension ConnectionGate {
    /// The state of an answer that the system does not accept completely, because the client reads slowly.
    struct Writing {
        var credit: MinimumTransferRate
        /// The bytes that had been sent when the credit was last updated.
        var sent: Int
    }

    /// Indicates whether an answer that is written now still reaches the client.
    var takesAnswer: Bool { ending == .open && input != .waiting && input != .head }

    /// Sets the head's version and `Connection` field, which state whether the connection stays open.
    func beginAnswer(_ head: inout HTTPResponseHead) {
        hasBegunAnswer = true
        // An answer that does not wait for the body leaves unread bytes that are not a request.
        if input != .complete || connections.isDraining || head.headers[canonicalForm: "connection"].contains("close") {
            isLast = true
        }
        if !scanner.head.isCurrent, !head.headers.contains(name: "content-length") {
            // HTTP/1.0 has no chunks: the end of the connection marks the end of the answer.
            head.version = .http1_0
            isLast = true
        }
        if isLast {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        } else if !scanner.head.isCurrent {
            head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
    }

    func endAnswer() {
        hasEndedAnswer = true
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard hasEndedAnswer else {
            if writing == nil { watchWriting(context) }
            return
        }
        hasEndedAnswer = false
        connections.turns.leave(self)
        nextRequest(context)
        if ending != .lingering { watchWriting(context) }
    }

    private func nextRequest(_ context: ChannelHandlerContext) {
        departure = nil
        guard !isLast else { return end(context) }
        hasBegunAnswer = false
        isUsed = true
        // Until its turn the gate keeps its state: it forwards nothing and reads no more.
        if held.readableBytes > 0, !connections.turns.enter(self) { return }
        readOn(context)
    }

    /// Forwards the bytes that the client sent before the previous answer.
    func forwardPipelined() {
        guard let context else { return }
        readOn(context)
    }

    private func readOn(_ context: ChannelHandlerContext) {
        input = .waiting
        isForwarded = false
        since = .now()
        if forwardPending(context) {
            context.fireChannelReadComplete()
        } else {
            // The held bytes are less than a request.
            connections.turns.leave(self)
        }
        guard ending == .open else { return }
        if isInputClosed, input == .waiting || input == .head { return end(context) }
        if isInputClosed, input == .body { return refuse(.incomplete, context) }
        if isReadDelayed {
            isReadDelayed = false
            read(context: context)
        }
        scheduleDeadlineCheck(by: nextDeadline, context)
    }

    // MARK: The client's pace

    /// Returns the bytes that wait until the client has read earlier ones.
    private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        // Only channels other than sockets lack this option.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    func watchWriting(_ context: ChannelHandlerContext) {
        let waiting = waitingBytes(context)
        waitingAnswer = waiting
        if waiting == 0 {
            writing = nil
        } else if writing == nil {
            writing = Writing(credit: MinimumTransferRate(limits, from: .now()), sent: written - waiting)
            scheduleDeadlineCheck(by: nextDeadline, context)
        }
        connections.boundAnswers()
    }

    /// Credits the bytes that the client has read since the last check.
    func creditWriting(_ context: ChannelHandlerContext, at now: NIODeadline) {
        guard var writing else { return }
        let waiting = waitingBytes(context)
        waitingAnswer = waiting
        guard waiting > 0 else {
            self.writing = nil
            return
        }
        let sent = written - waiting
        writing.credit.credit(sent - writing.sent, at: now)
        writing.sent = sent
        self.writing = writing
    }
}
