import NIOCore
import NIOPosix

/// The first handler of a connection, between the socket and the HTTP parser.
///
/// The gate forwards one request at a time, and only bytes that ``RequestScanner`` and ``BodyScanner`` have
/// accepted as well formed. Pipelined requests wait in the gate until their turn, and so does a request with a short
/// body until the body is complete. The handlers after the gate therefore have only one request to process, and every
/// moment of a connection has one deadline. All calls are on the channel's event loop.
final class ConnectionGate {
    /// The part of the request that the gate is reading.
    enum Input {
        /// No request has begun.
        case waiting
        case head
        case body
        /// The request was read completely. The next request waits until this one is answered.
        case complete
    }

    /// The stage of a connection's end.
    enum Ending {
        case open
        /// The gate reads no more, but sends the rest of the answers.
        case flushing
        /// All answers were sent. The gate discards what the client sends, so that the client reads the answer
        /// instead of a connection reset.
        case lingering
    }

    let limits: ConnectionLimits
    let work: ConnectionTask
    let connections: HTTPConnectionRegistry
    /// The socket's descriptor. The channel owns and closes it.
    let descriptor: CInt

    var context: ChannelHandlerContext?
    var input = Input.waiting
    var ending = Ending.open
    /// The bytes that have arrived and are not forwarded yet.
    var held = ByteBuffer()
    /// The accepted bytes of a request whose short body is not complete, or nil if the request was forwarded.
    ///
    /// A client that sends slowly then costs these bytes, and neither a task nor a page that rejects it.
    var withheld: ByteBuffer? {
        didSet { connections.withheldBytes += (withheld?.readableBytes ?? 0) - (oldValue?.readableBytes ?? 0) }
    }
    /// The number of bytes up to which the request is withheld.
    private var mostWithheld = 0
    var scanner: RequestScanner
    var body: BodyScanner

    /// Indicates whether a route has the current request or its beginning.
    var isForwarded = false

    /// Indicates whether the answer's head was written.
    var hasBegunAnswer = false
    var hasEndedAnswer = false
    /// Indicates whether the connection ends with the answer to the current request.
    var isLast = false
    /// Indicates whether the client has closed its side.
    var isInputClosed = false
    /// Indicates whether a later handler has requested a read that waits until the held bytes are forwarded.
    var isReadDelayed = false
    /// The turn in which the current request was forwarded, if the client had sent it before the previous answer.
    var turn: Int?
    /// Indicates whether the next request waits for its turn.
    var isWaitingForTurn = false
    /// Indicates whether a read is pending: the system was asked for bytes and has not delivered any since.
    var isReading = true

    // MARK: Times

    /// The time at which the connection was opened, its last answer ended, or the first byte of the head arrived.
    var since: NIODeadline
    /// Indicates whether the connection has already answered a request.
    var isUsed = false
    var bodyCredit: MinimumTransferRate
    var lastBody: NIODeadline
    var writing: Writing?
    /// The bytes of answers that the client had not read at the last check.
    var waitingAnswer = 0 {
        didSet { connections.waitingAnswers += waitingAnswer - oldValue }
    }
    /// The time at which the work for a client that has disconnected is cancelled.
    var departure: NIODeadline?
    /// The end of lingering. `silenceEnd` is an earlier end if the client sends nothing.
    var lingeringEnd = NIODeadline.distantFuture
    var silenceEnd = NIODeadline.distantFuture
    var discarded = 0
    /// The bytes of answers that were written to the channel.
    var written = 0
    /// The one scheduled check of the deadlines.
    var check: (at: NIODeadline, task: Scheduled<Void>)?

    init(limits: ConnectionLimits, descriptor: CInt, work: ConnectionTask, connections: HTTPConnectionRegistry) {
        let now = NIODeadline.now()
        self.limits = limits
        self.descriptor = descriptor
        self.work = work
        self.connections = connections
        since = now
        lastBody = now
        scanner = RequestScanner(limits)
        body = BodyScanner(.none, limits)
        bodyCredit = MinimumTransferRate(limits, from: now)
    }
}

@available(*, unavailable)
extension ConnectionGate: Sendable {}

extension ConnectionGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connections.add(self)
        scheduleDeadlineCheck(by: nextDeadline, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The error precedes the end of the channel, so that a truncated body fails and never looks complete.
        if input == .body, isForwarded { context.fireErrorCaught(ConnectionError.incomplete) }
        if isForwarded { work.cancel() }
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        check?.task.cancel()
        check = nil
        context = nil
        held.clear()
        withheld = nil
        waitingAnswer = 0
        connections.turns.leave(self)
        connections.remove(self)
    }
}

// The inbound side: one request at a time, and only well-formed bytes.
extension ConnectionGate {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        isReading = false
        guard ending == .open else { return discard(bytes.readableBytes, context) }
        if held.readableBytes == 0 {
            held = bytes
        } else {
            held.writeBuffer(&bytes)
        }
        forwardPending(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if ending == .open {
            scheduleDeadlineCheck(by: nextDeadline, context)
        } else {
            // No later handler requests a read for bytes that are discarded.
            read(context: context)
        }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if ending == .open, input == .complete, held.readableBytes > 0 {
            isReadDelayed = true
            return
        }
        if input == .body, !isReading { bodyCredit.pause(.now() - lastBody) }
        isReading = true
        // The deadline of a body counts from here. The scheduled check is that of an idle connection and may be later.
        if input == .body { scheduleDeadlineCheck(by: nextDeadline, context) }
        context.read()
    }

    /// Forwards the held bytes that belong to the current request.
    ///
    /// - Returns: Whether any bytes were forwarded.
    @discardableResult
    func forwardPending(_ context: ChannelHandlerContext) -> Bool {
        var isAny = false
        do {
            while ending == .open, held.readableBytes > 0 {
                switch input {
                case .waiting:
                    since = .now()
                    scanner = RequestScanner(limits)
                    input = .head
                case .head:
                    guard let length = try scanner.scan(held.readableBytesUInt8Span) else { return isAny }
                    begin(scanner.head, length: length, context)
                    if forward(length, context) { isAny = true }
                case .body:
                    let length = try body.scan(held.readableBytesUInt8Span)
                    lastBody = .now()
                    bodyCredit.credit(length, at: lastBody)
                    if body.isDone { input = .complete }
                    if forward(length, context) { isAny = true }
                case .complete:
                    return isAny
                }
            }
        } catch {
            refuse(error, context)
        }
        return isAny
    }

    private func begin(_ head: RequestHead, length: Int, _ context: ChannelHandlerContext) {
        body = BodyScanner(head.body, limits, sizeLimit: head.bodyLimit(limits))
        input = body.isDone ? .complete : .body
        isLast = !head.keepsConnection
        guard input == .body else { return }
        lastBody = .now()
        bodyCredit = MinimumTransferRate(limits, from: lastBody)
        if head.body.isShort(limits) {
            withheld = ByteBuffer()
            mostWithheld = length + limits.shortBody
        }
        if head.expectsContinue, head.isCurrent {
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(Self.continueResponse)), promise: nil)
        }
    }

    private static let continueResponse = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")

    /// Forwards the next held bytes, or withholds them.
    ///
    /// - Returns: Whether they were forwarded.
    private func forward(_ length: Int, _ context: ChannelHandlerContext) -> Bool {
        var bytes: ByteBuffer
        if length == held.readableBytes {
            bytes = held
            held = ByteBuffer()
        } else if let slice = held.readSlice(length: length) {
            bytes = slice
        } else {
            return false
        }
        if var request = withheld {
            // With one reference the buffer grows in place. It does not keep the socket's buffer, which may be larger.
            withheld = nil
            request.writeBuffer(&bytes)
            guard input == .complete || request.readableBytes > mostWithheld else {
                withheld = request
                connections.boundBodies()
                return false
            }
            bytes = request
        }
        isForwarded = true
        context.fireChannelRead(wrapInboundOut(bytes))
        return true
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: inputClosed(context)
        // The later handlers do not need the event: bytes that are written after it are dropped.
        case ChannelEvent.outputClosed: break
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func inputClosed(_ context: ChannelHandlerContext) {
        isInputClosed = true
        switch (ending, input) {
        case (.lingering, _): closeNow(context)
        case (.flushing, _): break
        case (.open, .waiting), (.open, .head): closeNow(context)
        case (.open, .body): refuse(.incomplete, context)
        case (.open, .complete):
            guard scanner.head.isRead, !isWaitingForTurn else { break }
            departure = .now() + limits.departure
            scheduleDeadlineCheck(by: nextDeadline, context)
        }
    }
}
