import NIOCore

/// The worker's end of a connection: many requests under way at once, each answer finds its own by its id.
///
/// Confined to its channel's event loop.
final class RequestHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = PendingRequest
    typealias OutboundOut = ByteBuffer

    /// The connection ended before the answer came: whether the request was done is not known.
    struct ConnectionLost: Error {}

    private var pending: [UInt64: EventLoopPromise<ByteBuffer>] = [:]
    private var nextID: UInt64 = 1

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        let id = nextID
        nextID += 1
        pending[id] = request.answer
        let frame = Frame(id: id, deadline: request.deadline, body: request.body)
        context.write(wrapOutboundOut(frame.buffer), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let frame = Frame(unwrapInboundIn(data)) else {
            context.close(promise: nil)
            return
        }
        pending.removeValue(forKey: frame.id)?.succeed(frame.body)
    }

    func channelInactive(context: ChannelHandlerContext) {
        failAll()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func failAll() {
        let lost = pending
        pending = [:]
        for answer in lost.values { answer.fail(ConnectionLost()) }
    }
}

/// A request on its way into a ``RequestHandler``.
struct PendingRequest: Sendable {
    let deadline: MonotonicTime
    let body: ByteBuffer
    let answer: EventLoopPromise<ByteBuffer>
}
