package import HTTPTypes
package import Hummingbird
import NIOCore

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
