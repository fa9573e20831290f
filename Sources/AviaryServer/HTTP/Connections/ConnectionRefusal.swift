import HTTPTypes
import Hummingbird
import NIOCore

/// Why a connection is ended before its request reaches a route, in words for whoever sent it.
///
/// The answer is short text, not a page: what arrives like this was not typed into a form.
enum ConnectionRefusal: Error, Hashable, Sendable {
    case malformed(String)
    case incomplete
    case late
    /// It arrives slowly, and its place is needed.
    case crowded
    case headTooLarge
    case tooManyFields
    case targetTooLong
    case bodyTooLarge

    var status: HTTPResponse.Status {
        switch self {
        case .malformed, .incomplete: .badRequest
        case .late: .requestTimeout
        case .crowded: .serviceUnavailable
        case .headTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .targetTooLong: .uriTooLong
        case .bodyTooLarge: .contentTooLarge
        }
    }

    var text: String {
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

    /// Whether whoever sent it would only go on as slowly.
    var isOfSlowClient: Bool { self == .late || self == .crowded }

    /// The whole answer, as it is sent.
    var bytes: ByteBuffer {
        let body = text + "\n"
        let securityFields = SecurityHeadersMiddleware.fields.map { "\($0): \($1)\r\n" }.joined()
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

/// So that what waits for the rest of a body fails with this, and is not taken for a defect.
extension ConnectionRefusal: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response {
        .text(text + "\n", status: status)
    }
}
