import NIOCore
import NIOPosix

/// What stands between the socket and everything else of a connection.
///
/// It lets one request through at a time, and only what ``RequestScanner`` and ``BodyScanner`` have found well formed;
/// what a client sends ahead waits here until its turn. So everything behind it has one request to look at, and every
/// moment of a connection has one deadline. It works on its channel's event loop alone.
final class ConnectionGate {
    /// Where the request is that is being read.
    enum Input {
        /// None has begun.
        case waiting
        case head
        case body
        /// Read to its end; the next one waits until it is answered.
        case complete
    }

    /// Where the connection is on its way to its end.
    enum Ending {
        case open
        /// Nothing more is read; what was answered still goes out.
        case flushing
        /// Everything went out. What the client sends is thrown away, so that it sees the answer and not a reset.
        case lingering
    }

    let limits: ConnectionLimits
    let work: ConnectionWork
    let connections: OpenConnections
    /// Belongs to the channel, which closes it.
    let descriptor: CInt

    var context: ChannelHandlerContext?
    var input = Input.waiting
    var ending = Ending.open
    /// What has arrived and is not let through.
    var held = ByteBuffer()
    var scanner: RequestScanner
    var body: BodyScanner

    /// Whether the answer's head was written.
    var hasBegunAnswer = false
    var hasEndedAnswer = false
    /// Whether the connection ends with the answer to this request.
    var isLast = false
    /// Whether the client has closed its side.
    var isInputClosed = false
    /// Whether somebody waits to read, who shall not until what is held was let through.
    var isReadDelayed = false
    /// The turn in which its request was let through, when that was sent ahead.
    var turn: Int?
    /// Whether the next request waits for its turn.
    var isWaitingForTurn = false
    /// Whether the system was asked for bytes and has not brought any since.
    var isReading = true

    // MARK: Times

    /// When the connection was opened, its last answer ended or the head's first byte came.
    var since: NIODeadline
    /// Whether a request was answered on it.
    var isUsed = false
    var bodyCredit: TransferCredit
    var lastBody: NIODeadline
    var writing: Writing?
    /// Bytes of answers that the client has not taken, when it was last looked at.
    var waitingAnswer = 0 {
        didSet { connections.waitingAnswers += waitingAnswer - oldValue }
    }
    /// When the work for a client that has gone ends.
    var departure: NIODeadline?
    /// The end of lingering, and its earlier end when nothing comes.
    var lingeringEnd = NIODeadline.distantFuture
    var silenceEnd = NIODeadline.distantFuture
    var discarded = 0
    /// Bytes of answers given to the channel.
    var written = 0
    /// The one scheduled look at the deadlines.
    var check: (at: NIODeadline, task: Scheduled<Void>)?

    init(limits: ConnectionLimits, descriptor: CInt, work: ConnectionWork, connections: OpenConnections) {
        let now = NIODeadline.now()
        self.limits = limits
        self.descriptor = descriptor
        self.work = work
        self.connections = connections
        since = now
        lastBody = now
        scanner = RequestScanner(limits)
        body = BodyScanner(.none, limits)
        bodyCredit = TransferCredit(limits, from: now)
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
        look(by: nextDeadline, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Said before the end is: a body that was cut off must fail, and never look like one that came to its end.
        if input == .body { context.fireErrorCaught(ConnectionRefusal.incomplete) }
        if input == .body || input == .complete { work.cancel() }
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        check?.task.cancel()
        check = nil
        context = nil
        held.clear()
        waitingAnswer = 0
        connections.turns.leave(self)
        connections.remove(self)
    }
}

// What comes in: one request at a time, and only what is well formed.
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
        letThrough(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if ending == .open {
            look(by: nextDeadline, context)
        } else {
            // Nobody behind asks for what is thrown away.
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
        context.read()
    }

    /// Lets through as much of what is held as belongs to the request whose turn it is.
    ///
    /// - Returns: whether anything went through.
    @discardableResult
    func letThrough(_ context: ChannelHandlerContext) -> Bool {
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
                    begin(scanner.head, context)
                    forward(length, context)
                    isAny = true
                case .body:
                    let length = try body.scan(held.readableBytesUInt8Span)
                    lastBody = .now()
                    bodyCredit.earn(length, at: lastBody)
                    if body.isDone { input = .complete }
                    forward(length, context)
                    isAny = true
                case .complete:
                    return isAny
                }
            }
        } catch {
            refuse(error, context)
        }
        return isAny
    }

    private func begin(_ head: RequestHead, _ context: ChannelHandlerContext) {
        body = BodyScanner(head.body, limits, sizeLimit: head.bodyLimit(limits))
        input = body.isDone ? .complete : .body
        isLast = !head.keepsConnection
        guard input == .body else { return }
        lastBody = .now()
        bodyCredit = TransferCredit(limits, from: lastBody)
        if head.expectsContinue, head.isCurrent {
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(Self.goOn)), promise: nil)
        }
    }

    private static let goOn = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")

    private func forward(_ length: Int, _ context: ChannelHandlerContext) {
        if length == held.readableBytes {
            let bytes = held
            held = ByteBuffer()
            context.fireChannelRead(wrapInboundOut(bytes))
        } else if let bytes = held.readSlice(length: length) {
            context.fireChannelRead(wrapInboundOut(bytes))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: inputClosed(context)
        // Of no use behind: what is written after it is dropped.
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
            look(by: nextDeadline, context)
        }
    }
}
