public import AviaryDomain
import Foundation

/// A response of a route of the application's own.
///
/// ```swift
/// Route.get("/feeding-plan") { request in
///     let animals = try await request.store.repository(for: Animal.self).fetchAll()
///     return .html("Feeding plan") {
///         PageText("\(animals.count) animals are hungry.")
///     }
/// }
/// ```
///
/// The server adds its security headers to every response, among them the content security policy, which lets a page run
/// the admin's scripts only. A response without `Cache-Control` gets `no-store`.
public struct RouteResponse: Sendable {
    /// A page that the server writes when the handler has returned.
    struct Page: Sendable {
        let title: String
        let content: PageContent
    }

    /// The HTTP status code, from 200 to 599.
    public let status: Int
    /// The value of the `Content-Type` header; nil for none.
    public let contentType: String?
    /// The bytes of the body; empty for a page, which the server writes when the handler has returned.
    public let body: [UInt8]
    let location: String?
    let page: Page?
    private(set) var headers: [(name: String, value: String)] = []

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The HTTP status code, from 200 to 599. The server answers with 500 for any other.
    ///   - contentType: The value of the `Content-Type` header, such as `text/csv; charset=utf-8`.
    ///   - body: The bytes of the body.
    public init(status: Int = 200, contentType: String?, body: [UInt8]) {
        self.init(status: status, contentType: contentType, body: body, location: nil)
    }

    private init(status: Int, contentType: String?, body: [UInt8], location: String? = nil, page: Page? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.location = location
        self.page = page
    }

    /// Creates a page in the frame of the admin.
    ///
    /// ```swift
    /// .html("Feeding plan") {
    ///     PageHeading("Today")
    ///     PageTable("Animals by diet", of: animals) {
    ///         PageColumn("Name") { .text($0.name) }
    ///         PageColumn("Diet") { .choice($0.diet) }
    ///     }
    /// }
    /// ```
    ///
    /// The page has the admin's navigation, the account and the language of the request. For a person who is not signed
    /// in, which only ``Route/Access/everyone`` permits, it has the name of the application and no navigation. Every text
    /// is escaped. A page is at most 8 MiB long.
    ///
    /// - Parameters:
    ///   - title: The title: the first heading of the page, and the name of its tab.
    ///   - status: The HTTP status code, from 200 to 599; 422 for a form that is shown again with its errors.
    ///   - content: A closure that builds the elements of the page.
    /// - Returns: The response.
    public static func html(
        _ title: String, status: Int = 200, @PageBuilder content: () throws -> PageContent
    ) rethrows -> RouteResponse {
        RouteResponse(
            status: status, contentType: "text/html; charset=utf-8", body: [],
            page: Page(title: title, content: try content()))
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

    /// Creates a response that the browser saves as a file.
    ///
    /// ```swift
    /// .download(Array(csv.utf8), named: "Feeding plan.csv", contentType: "text/csv; charset=utf-8")
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The content of the file, which is in memory as a whole.
    ///   - name: The suggested name of the file, without a folder. Characters that a name cannot have become `_`.
    ///   - contentType: The value of the `Content-Type` header.
    public static func download(
        _ bytes: [UInt8], named name: String, contentType: String = "application/octet-stream"
    ) -> RouteResponse {
        var response = RouteResponse(status: 200, contentType: contentType, body: bytes)
        response.headers.append(("Content-Disposition", FileName(name).disposition))
        return response
    }

    /// Creates a redirect with status 303, after which the browser requests another page with `GET`.
    ///
    /// Use it as the answer to a form.
    ///
    /// - Parameter path: A path on this server. It begins with exactly one slash and contains no blanks or control
    ///   characters. The server answers with 500 for any other, so that a path made from user input cannot redirect to
    ///   another site.
    public static func seeOther(_ path: String) -> RouteResponse {
        RouteResponse(status: 303, contentType: nil, body: [], location: path)
    }

    /// Creates a redirect with status 303 to a page that says what was changed.
    ///
    /// ```swift
    /// let receipt = try await animals.update(id) { $0.diet = .omnivorous }
    /// return .seeOther("/feeding-plan", after: receipt)
    /// ```
    ///
    /// The page is one of the admin or of ``html(_:status:content:)``. It shows the message to the account that made the
    /// change, for ten minutes, with a button that undoes the change where its role permits that.
    ///
    /// - Parameters:
    ///   - path: A path on this server. See ``seeOther(_:)``.
    ///   - receipt: The receipt of the change.
    public static func seeOther(_ path: String, after receipt: Receipt) -> RouteResponse {
        seeOther(FlashMessage.address(path, .did, receipt.commit))
    }

    /// Creates a redirect with status 308, which browsers and search engines remember.
    ///
    /// - Parameter path: A path on this server. See ``seeOther(_:)``.
    public static func permanentRedirect(_ path: String) -> RouteResponse {
        RouteResponse(status: 308, contentType: nil, body: [], location: path)
    }

    /// A response with status 204 and without a body.
    public static let noContent = RouteResponse(status: 204, contentType: nil, body: [])
    /// A response with status 404 and a short text.
    public static let notFound = text("There is nothing here.\n", status: 404)

    /// Returns the response with a header field, in place of an earlier one of the same name.
    ///
    /// ```swift
    /// .text("User-agent: *\n").header("Cache-Control", "public, max-age=3600")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the field. The server has some fields for itself: those of the connection and the length,
    ///     `Content-Type` and `Location`, cookies, and the security headers. It answers with 500 for these, and for a
    ///     name or value that no field can have, and writes the reason to the log.
    ///   - value: The value. The default of `Cache-Control` is `no-store`; a response that others may keep must have
    ///     nothing of the account.
    public func header(_ name: String, _ value: String) -> RouteResponse {
        var response = self
        response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        response.headers.append((name, value))
        return response
    }
}

/// The suggested name of a downloaded file.
private struct FileName {
    private let name: String

    init(_ name: String) {
        let cleaned = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
                        ? "_" : scalar
                })
        ).trimmingCharacters(in: CharacterSet(charactersIn: ". "))
        self.name = cleaned.isEmpty ? "download" : cleaned
    }

    /// The value of `Content-Disposition` (RFC 6266): the name in ASCII, and where it differs also in UTF-8.
    var disposition: String {
        let plain = String(name.map { $0.isASCII ? $0 : "_" })
        let value = "attachment; filename=\"\(plain)\""
        guard plain != name else { return value }
        let encoded = name.utf8.map { byte in
            Self.isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return value + "; filename*=UTF-8''" + encoded.joined()
    }

    /// Returns whether the byte is a letter, a digit or one of the signs that need no encoding (RFC 8187).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
