import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The handlers of one connection, from the socket inward: the gate, the HTTP/1.1 codec, and the task that answers.
struct ConnectionChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let descriptor: CInt
    let limits: ConnectionLimits
    let work: ConnectionTask
    let connections: HTTPConnectionRegistry
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let gate = ConnectionGate(limits: limits, descriptor: descriptor, work: work, connections: connections)
            try pipeline.addHandler(gate)
            // The gate's limits are below the parser's, so that the gate is the one that answers.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false
            )
            try pipeline.addHandler(ResponseHandler(gate))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                // The number of parts of a request that may wait before they are read. It is low for a body, which
                // is read only after its sender is known.
                configuration: .init(
                    backPressureStrategy: .init(lowWatermark: 2, highWatermark: 4), isOutboundHalfClosureEnabled: true)
            )
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}

/// A handler that reports to the gate where an answer begins and ends, and which bytes the parser rejected.
final class ResponseHandler: ChannelDuplexHandler {
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
        // The gate has forwarded bytes that the parser rejects. The stricter of the two decides.
        if let gateContext = gate.context {
            gate.refuse(.malformed("it cannot be read"), gateContext)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard gate.takesAnswer else {
            // The gate has already answered the request, or the client no longer reads.
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
extension ResponseHandler: Sendable {}
