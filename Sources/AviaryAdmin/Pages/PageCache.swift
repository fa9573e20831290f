import AviaryDesign
import AviaryDomain
import AviaryHTTP
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The pages that a worker keeps until the store's next commit, by the requests that they answer.
///
/// A route offers a page that depends on nothing but the request, the store, and the time of its session. The tokens of
/// the page's forms are new in every response.
struct PageCache: Sendable {
    private let pages: CommitCache<PageKey, CachedPage>
    private let tokens: CSRFTokens
    private let now: @Sendable () -> Date

    init(_ commits: any StoreVersionSource, tokens: CSRFTokens, now: @escaping @Sendable () -> Date) {
        pages = CommitCache(commits, limit: CachedPage.limit, cost: \.cost)
        self.tokens = tokens
        self.now = now
    }

    /// Returns the kept page that answers a request, or creates the response and keeps its page.
    func response(
        to request: Request, context: AdminRequestContext, or make: (AdminRequestContext) async throws -> Response
    ) async throws -> Response {
        // The version is older than everything that the page reads.
        guard let key = PageKey(request), let version = pages.version else { return try await make(context) }
        if let page = pages.value(key, in: version), page.times.contains(now()), let token = tokens.token(page.code) {
            context.coreContext.endpointPath.value = page.route
            return page.response(token: token)
        }
        let offer = PageOffer()
        var context = context
        context.pageOffer = offer
        let response = try await make(context)
        if let offer = offer.take(), let page = CachedPage(offer, of: context.route, with: response, tokens: tokens) {
            pages.keep(page, for: key, since: version)
        }
        return response
    }
}

/// The parts of a request on which a page can depend.
///
/// The other header fields affect how the connection continues, or what the server logs.
struct PageKey: Sendable, Hashable {
    private let target: String
    private let authority: String?
    private let fields: [HTTPField]
    private let allowsCompression: Bool

    private static let names = Set(
        [.cookie, .accept, .acceptLanguage, .authorization]
            + ["Host", "X-Requested-With"].compactMap { HTTPField.Name($0) })
    /// The largest size of the fields in bytes. A browser with many drafts sends more.
    private static let longest = 2048

    /// Creates the key of a request; nil for a request that changes something or has a body.
    init?(_ request: Request) {
        guard request.method == .get else { return nil }
        var fields: [HTTPField] = [], size = request.uri.string.utf8.count
        for field in request.headers {
            if field.name == .contentLength || field.name == .transferEncoding { return nil }
            guard Self.names.contains(field.name) else { continue }
            fields.append(field)
            size += field.value.utf8.count
        }
        guard size <= Self.longest else { return nil }
        self.fields = fields
        target = request.uri.string
        authority = request.head.authority
        allowsCompression = request.allowsCompression
    }
}

/// A box for the page that a route offers for the next requests like its own.
final class PageOffer: Sendable {
    struct Page: Sendable {
        let html: HTML
        /// The token of the page's forms.
        let token: String
        let session: Session
    }

    private let page = Mutex<Page?>(nil)

    /// Offers a complete page that depends on nothing but the request, the store, and the time of its session.
    func offer(_ html: HTML, token: String, of session: Session) {
        page.withLock { $0 = Page(html: html, token: token, session: session) }
    }

    fileprivate func take() -> Page? { page.withLock(\.self) }
}

/// A page without the tokens of its forms.
struct CachedPage: Sendable {
    /// The largest size in bytes of all pages that a worker keeps.
    static let limit = 8 << 20

    /// The route of the page.
    let route: String
    /// The code of the page's session, from which its tokens are made.
    let code: CSRFTokens.Code
    /// The times at which the session is as it was.
    let times: Range<Date>
    /// The size of the page, and an estimate for its key and headers, in bytes.
    let cost: Int
    private let headers: HTTPFields
    private let body: Body

    private enum Body {
        /// The bytes between the tokens.
        case plain([ByteBuffer])
        case compressed(GzipTemplate)
    }

    /// Creates a page from a route's offer and its response; nil for a response that must not be repeated.
    init?(_ page: PageOffer.Page, of route: String, with response: Response, tokens: CSRFTokens) {
        guard let times = page.session.times, response.status == .ok, !response.headers.contains(.setCookie)
        else { return nil }
        let token = Array(page.token.utf8), parts = Self.split(page.html.bytes, at: token)
        // All tokens have the same length.
        var size = page.html.bytes.count
        switch response.headers[.contentEncoding] {
        case nil: body = .plain(parts)
        case "gzip":
            guard let template = GzipTemplate(parts, gap: token.count) else { return nil }
            body = .compressed(template)
            size = template.size
        default: return nil
        }
        self.route = route
        self.times = times
        code = tokens.code(for: page.session)
        var headers = response.headers
        headers[.contentLength] = String(size)
        self.headers = headers
        cost = size + 4096
    }

    private static func split(_ bytes: [UInt8], at token: [UInt8]) -> [ByteBuffer] {
        var parts: [ByteBuffer] = [], start = 0, index = 0
        while index + token.count <= bytes.count {
            if bytes[index] == token[0], bytes[index..<index + token.count].elementsEqual(token) {
                parts.append(ByteBuffer(bytes: bytes[start..<index]))
                index += token.count
                start = index
            } else {
                index += 1
            }
        }
        return parts + [ByteBuffer(bytes: bytes[start...])]
    }

    /// Returns the response with a token.
    func response(token: String) -> Response {
        Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes(token: token)))
    }

    /// Returns the bytes of the body with a token.
    func bytes(token: String) -> ByteBuffer {
        switch body {
        case .compressed(let template): return template.compressed(with: token.utf8)
        case .plain(let parts):
            var bytes = ByteBuffer()
            bytes.reserveCapacity(cost)
            for (index, part) in parts.enumerated() {
                if index > 0 { bytes.writeString(token) }
                bytes.writeImmutableBuffer(part)
            }
            return bytes
        }
    }
}
