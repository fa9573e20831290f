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
