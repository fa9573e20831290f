import NIOCore
import NIOHTTP1

// What goes out: the answers of the routes, by way of ``AnswerHandler``.
extension ConnectionGate {
    /// An answer that the system does not take at once, because the client does not.
    struct Writing {
        var credit: TransferCredit
        /// Bytes that had gone out when the credit was last looked at.
        var sent: Int
    }

    /// Whether what is written still reaches the client.
    var takesAnswer: Bool { ending == .open && input != .waiting && input != .head }

    /// Says in the answer's head what becomes of the connection.
    func beginAnswer(_ head: inout HTTPResponseHead) {
        hasBegunAnswer = true
        // An answer that does not wait for the body leaves bytes behind that are no request.
        if input != .complete || connections.isDraining || head.headers[canonicalForm: "connection"].contains("close") {
            isLast = true
        }
        if !scanner.head.isCurrent, !head.headers.contains(name: "content-length") {
            // HTTP/1.0 knows no chunks: the end of the connection is the end of the answer.
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
        // Until its turn has come it stays as it is: nothing is let through, and nothing more is read.
        if held.readableBytes > 0, !connections.turns.enter(self) { return }
        readOn(context)
    }

    /// Lets through what was sent ahead.
    func takeTurn() {
        guard let context else { return }
        readOn(context)
    }

    private func readOn(_ context: ChannelHandlerContext) {
        input = .waiting
        since = .now()
        if letThrough(context) {
            context.fireChannelReadComplete()
        } else {
            // There is less than a request.
            connections.turns.leave(self)
        }
        guard ending == .open else { return }
        if isInputClosed, input == .waiting || input == .head { return end(context) }
        if isInputClosed, input == .body { return refuse(.incomplete, context) }
        if isReadDelayed {
            isReadDelayed = false
            read(context: context)
        }
        look(by: nextDeadline, context)
    }

    // MARK: The client's pace

    /// Bytes that wait for the client to take earlier ones.
    private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        // Only channels of other kinds than sockets have no such option.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    func watchWriting(_ context: ChannelHandlerContext) {
        let waiting = waitingBytes(context)
        waitingAnswer = waiting
        if waiting == 0 {
            writing = nil
        } else if writing == nil {
            writing = Writing(credit: TransferCredit(limits, from: .now()), sent: written - waiting)
            look(by: nextDeadline, context)
        }
        connections.boundAnswers()
    }

    /// Counts what the client took since the last look.
    func earnWriting(_ context: ChannelHandlerContext, at now: NIODeadline) {
        guard var writing else { return }
        let waiting = waitingBytes(context)
        waitingAnswer = waiting
        guard waiting > 0 else {
            self.writing = nil
            return
        }
        let sent = written - waiting
        writing.credit.earn(sent - writing.sent, at: now)
        writing.sent = sent
        self.writing = writing
    }
}
