import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// One connection's handlers, from the socket inwards: the gate, the HTTP/1.1 codec, and the task that answers.
struct ConnectionChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let descriptor: CInt
    let limits: ConnectionLimits
    let work: ConnectionWork
    let connections: OpenConnections
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let gate = ConnectionGate(limits: limits, descriptor: descriptor, work: work, connections: connections)
            try pipeline.addHandler(gate)
            // The gate's own limits are smaller than the parser's, so that it is the gate that answers.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false
            )
            try pipeline.addHandler(AnswerHandler(gate))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                // Parts of a request that nobody has asked for yet: of a body few, as it is read when it is known who sends it.
                configuration: .init(
                    backPressureStrategy: .init(lowWatermark: 2, highWatermark: 4), isOutboundHalfClosureEnabled: true)
            )
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}

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
