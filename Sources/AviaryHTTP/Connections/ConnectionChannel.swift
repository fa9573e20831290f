package import HTTPTypes
package import Hummingbird
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

/// A reason to end a connection before its request reaches a route, with a text for the client.
///
/// The answer is plain text rather than a page, because browsers do not send such requests.
package enum ConnectionError: Error, Hashable, Sendable {
    case malformed(String)
    case incomplete
    case late
    /// The body arrives slowly, and the server needs the connection for another client.
    case crowded
    case headTooLarge
    case tooManyFields
    case targetTooLong
    case bodyTooLarge

    package var status: HTTPResponse.Status {
        switch self {
        case .malformed, .incomplete: .badRequest
        case .late: .requestTimeout
        case .crowded: .serviceUnavailable
        case .headTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .targetTooLong: .uriTooLong
        case .bodyTooLarge: .contentTooLarge
        }
    }

    package var text: String {
        switch self {
        case .malformed(let reason): "This is not a well-formed HTTP/1.1 request: \(reason)."
        case .incomplete: "The request ended before it was complete."
        case .late: "The request took too long to arrive. Send it again."
        case .crowded:
            "The server is busy, and this request arrives too slowly. Nothing was changed. Send it again in a moment."
        case .headTooLarge: "The header fields are too large. If this is a browser, remove this site's cookies."
        case .tooManyFields: "There are too many header fields."
        case .targetTooLong: "The address is too long."
        case .bodyTooLarge: "The request's body is too large."
        }
    }

    /// Indicates whether the client is slow and would probably stay slow.
    var isOfSlowClient: Bool { self == .late || self == .crowded }

    /// The complete answer in the form in which it is sent.
    var bytes: ByteBuffer {
        let body = text + "\n"
        let securityFields = SecurityHeaders.fields.map { "\($0): \($1)\r\n" }.joined()
        let retryAfter = status == .serviceUnavailable ? "Retry-After: 2\r\n" : ""
        return ByteBuffer(
            string: """
                HTTP/1.1 \(status.code) \(status.reasonPhrase)\r
                Connection: close\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Length: \(body.utf8.count)\r
                Cache-Control: no-store\r
                Date: \(HTTPDate.now)\r
                \(retryAfter)\(securityFields)\r
                \(body)
                """)
    }
}

/// The error for a reader that waits for the rest of a body. With a response of its own it is not reported as a defect.
extension ConnectionError: HTTPResponseError {
    package func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
