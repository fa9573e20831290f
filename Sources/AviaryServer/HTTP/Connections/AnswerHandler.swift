import NIOCore
import NIOHTTP1

/// Tells the gate where an answer begins and ends, and what the parser between them could not read.
final class AnswerHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: ConnectionGate

    init(_ gate: ConnectionGate) {
        self.gate = gate
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.fireErrorCaught(error) }
        // The gate has let through what the parser does not take: be as strict as the stricter one.
        if let gateContext = gate.context {
            gate.refuse(.malformed("it cannot be read"), gateContext)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard gate.takesAnswer else {
            // The request was answered otherwise, or nobody reads any more.
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            gate.beginAnswer(&head)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            gate.endAnswer()
            context.write(data, promise: promise)
        default:
            context.write(data, promise: promise)
        }
    }
}

@available(*, unavailable)
extension AnswerHandler: Sendable {}
