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
