import Foundation

/// A response of a route of the application's own.
public struct RouteResponse: Sendable {
    /// The HTTP status code, from 200 to 599.
    public let status: Int
    /// The value of the `Content-Type` header; nil for none.
    public let contentType: String?
    /// The bytes of the body.
    public let body: [UInt8]
    let location: String?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The HTTP status code, from 200 to 599. The server answers with 500 for any other.
    ///   - contentType: The value of the `Content-Type` header, such as `text/csv; charset=utf-8`.
    ///   - body: The bytes of the body.
    public init(status: Int = 200, contentType: String?, body: [UInt8]) {
        self.init(status: status, contentType: contentType, body: body, location: nil)
    }

    private init(status: Int, contentType: String?, body: [UInt8], location: String?) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.location = location
    }

    /// Creates a response with plain text.
    ///
    /// - Parameters:
    ///   - text: The text of the body.
    ///   - status: The HTTP status code, from 200 to 599.
    public static func text(_ text: String, status: Int = 200) -> RouteResponse {
        RouteResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// Creates a response with a value encoded as JSON.
    ///
    /// - Parameters:
    ///   - value: The value to encode. The keys of objects are sorted.
    ///   - status: The HTTP status code, from 200 to 599.
    /// - Throws: `EncodingError` when the value cannot be encoded.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> RouteResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return RouteResponse(status: status, contentType: "application/json", body: Array(try encoder.encode(value)))
    }

    /// Creates a redirect with status 303, after which the browser requests another page with `GET`. Use it as the
    /// answer to a form.
    ///
    /// - Parameter path: A path on this server. It begins with exactly one slash and contains no blanks or control
    ///   characters. The server answers with 500 for any other, so that a path made from user input cannot redirect to
    ///   another site.
    public static func seeOther(_ path: String) -> RouteResponse {
        RouteResponse(status: 303, contentType: nil, body: [], location: path)
    }

    /// A response with status 204 and without a body.
    public static let noContent = RouteResponse(status: 204, contentType: nil, body: [])
    /// A response with status 404 and a short text.
    public static let notFound = text("There is nothing here.\n", status: 404)
}
