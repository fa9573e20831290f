import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryDesign
@testable import AviaryHTTP

@Suite("Repeated requests and pages")
struct PageCacheTests {
    init() throws {
        tokens = CSRFTokens(try keyRing())
    }

    private func key(
        _ path: String = "/admin/animals", method: HTTPRequest.Method = .get, authority: String = "localhost:8080",
        fields: [HTTPField] = []
    ) -> PageKey? {
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        head.headerFields = HTTPFields(fields)
        return PageKey(Request(head: head, body: RequestBody(buffer: ByteBuffer())))
    }

    private func field(_ name: String, _ value: String) throws -> HTTPField {
        HTTPField(name: try #require(HTTPField.Name(name)), value: value)
    }

    @Test(
        "A request with another header field on which pages depend is another request",
        arguments: ["Cookie", "Accept", "Accept-Language", "Authorization", "Host", "X-Requested-With"])
    func fields(name: String) throws {
        let requests = [key(), key(fields: [try field(name, "a")]), key(fields: [try field(name, "b")])]
        #expect(Set(requests).count == 3)
        #expect(!requests.contains(nil))
        #expect(key(fields: [try field(name, "a")]) == requests[1])
    }

    @Test("A request for another address is another request")
    func addresses() {
        let requests = [
            key(), key("/admin/animals?"), key("/admin/animals?q=a"), key("/admin/Animals"),
            key(authority: "localhost:8081"),
        ]
        #expect(Set(requests).count == 5)
        #expect(!requests.contains(nil))
    }

    @Test(
        "Fields that only the log and the connection use do not change a request", arguments: ["User-Agent", "Referer"])
    func ignored(name: String) throws {
        #expect(key(fields: [try field(name, "a")]) == key())
    }

    @Test("A request that changes something, has a body or is very long is never repeated")
    func changes() throws {
        for method in [HTTPRequest.Method.post, .head, .put, .delete] { #expect(key(method: method) == nil) }
        #expect(key(fields: [try field("Content-Length", "1")]) == nil)
        #expect(key(fields: [try field("Transfer-Encoding", "chunked")]) == nil)
        #expect(key(fields: [try field("Cookie", String(repeating: "a", count: 3000))]) == nil)
        #expect(key("/admin/animals?q=" + String(repeating: "a", count: 3000)) == nil)
    }

    private let tokens: CSRFTokens
    private let principal = Principal(account: UUID(), name: "Ada", role: .admin, epoch: 1)

    /// Returns a page that was offered with a token.
    private func page(
        _ text: String, token: String, times: Range<Date>? = Date.distantPast..<Date.distantFuture,
        status: HTTPResponse.Status = .ok, encoding: String? = nil, cookie: Cookie? = nil
    ) -> CachedPage? {
        var session = Session.begin(.signedIn(principal))
        session.times = times
        var html = HTML()
        html.text(text)
        var response = Response(status: status, headers: [.contentType: "text/html"])
        response.headers[.contentEncoding] = encoding
        if let cookie { response.setCookie(cookie) }
        let offer = PageOffer.Page(html: html, token: token, session: session)
        return CachedPage(offer, of: "/admin", with: response, tokens: tokens)
    }

    @Test(
        "A page gets a new token in every place",
        arguments: ["token", "a token", "token and token", "tokentoken", "tokentoke", "none", "ttoken", "toktoken"])
    func tokens(text: String) async throws {
        let page = try #require(self.page(text, token: "token"))
        #expect(String(buffer: page.bytes(token: "new")) == text.replacing("token", with: "new"))
        #expect(page.response(token: "new").headers[.contentType] == "text/html")
    }

    @Test("A compressed page gets a new token, too")
    func compressed() throws {
        let token = String(repeating: "a", count: 86), other = String(repeating: "b", count: 86)
        let page = try #require(self.page("One \(token), two \(token).", token: token, encoding: "gzip"))
        #expect(Gzip.contains(ByteBuffer(string: "One \(other), two \(other)."), page.bytes(token: other)))
        #expect(self.page("a", token: token, encoding: "gzip") == nil)
        #expect(self.page("One \(token)", token: token, encoding: "br") == nil)
    }

    @Test("A page with an error, with a cookie, or of a session that may change at once is not kept")
    func refused() {
        #expect(page("a", token: "token") != nil)
        #expect(page("a", token: "token", status: .serviceUnavailable) == nil)
        #expect(page("a", token: "token", cookie: Cookie(name: "a", value: "b")) == nil)
        #expect(page("a", token: "token", times: nil) == nil)
    }
}
