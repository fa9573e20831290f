import Foundation

/// What an own route answers.
public struct RouteResponse: Sendable {
    /// An HTTP status code, 200 to 599.
    public let status: Int
    public let contentType: String?
    public let body: [UInt8]
    let location: String?

    /// - Parameters:
    ///   - status: An HTTP status code, 200 to 599; another one is answered as 500.
    ///   - contentType: Such as `text/csv; charset=utf-8`.
    public init(status: Int = 200, contentType: String?, body: [UInt8]) {
        self.init(status: status, contentType: contentType, body: body, location: nil)
    }

    private init(status: Int, contentType: String?, body: [UInt8], location: String?) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.location = location
    }

    public static func text(_ text: String, status: Int = 200) -> RouteResponse {
        RouteResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// - Throws: `EncodingError`.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> RouteResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return RouteResponse(status: status, contentType: "application/json", body: Array(try encoder.encode(value)))
    }

    /// After a form: the browser goes on with a GET.
    ///
    /// - Parameter path: On this server; begins with one slash. Anything else is answered as 500: a path made from what
    ///   somebody sent must not lead a browser elsewhere.
    public static func seeOther(_ path: String) -> RouteResponse {
        RouteResponse(status: 303, contentType: nil, body: [], location: path)
    }

    public static let noContent = RouteResponse(status: 204, contentType: nil, body: [])
    public static let notFound = text("There is nothing here.\n", status: 404)
}
