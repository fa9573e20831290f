import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin

@Suite("Draft cookies")
struct DraftCookiesTests {
    private let cookies: DraftCookies

    init() throws {
        cookies = DraftCookies(names: CookieNames(port: 8080), keys: try keyRing())
    }

    @Test("A saved draft is read from the browser's cookies")
    func roundTrip() throws {
        let draft = draft()
        let browserDrafts = browserDrafts(try cookies.keep(draft, beside: BrowserDrafts()))
        #expect(browserDrafts.drafts.map(\.draft) == [draft])
        #expect(browserDrafts.unreadable.isEmpty)
    }

    @Test("An edited record has one cookie per person, and each new record has its own")
    func names() throws {
        let record = UUID.version7()
        func name(_ draft: Draft) throws -> String { try cookies.keep(draft, beside: BrowserDrafts()).name }
        let edited = try name(draft(record: record, version: 1))
        #expect(try name(draft(record: record, version: 2)) == edited)
        #expect(try name(draft(version: 1)) != edited)
        #expect(try name(draft(record: record)) != edited)
        #expect(try name(draft()) != name(draft()))
        #expect(try name(draft(record: record, user: "eve", version: 1)) != edited)
        #expect(edited.wholeMatch(of: /d-8080\.[A-Za-z0-9_-]{10}/) != nil)
    }

    @Test("A draft just below 3,000 bytes is accepted, and a larger one is rejected with its size")
    func tooLarge() throws {
        let smallest = try size(draft(text: ""))
        // Base64 needs four bytes for three.
        let fitting = (DraftCookies.largestDraft - smallest) / 4 * 3
        #expect(try size(draft(text: String(repeating: "a", count: fitting - 3))) <= DraftCookies.largestDraft)
        let error = #expect(throws: DraftError.self) {
            try size(draft(text: String(repeating: "a", count: fitting + 6)))
        }
        guard case .tooLarge(let bytes) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(bytes > DraftCookies.largestDraft && bytes < DraftCookies.largestDraft + 20)
    }

    @Test("A browser holds six drafts, and a seventh is rejected")
    func sixDrafts() throws {
        var browserDrafts = BrowserDrafts()
        for _ in 0..<6 {
            browserDrafts = self.browserDrafts(try cookies.keep(draft(), beside: browserDrafts), beside: browserDrafts)
        }
        #expect(browserDrafts.drafts.count == 6)
        #expect(throws: DraftError.full(drafts: 6)) { try cookies.keep(draft(), beside: browserDrafts) }
    }

    @Test("A newer copy of a draft replaces the older one, also when no other draft fits")
    func newerCopy() throws {
        let kept = draft()
        var browserDrafts = BrowserDrafts()
        for draft in [kept] + (0..<5).map({ _ in draft() }) {
            browserDrafts = self.browserDrafts(try cookies.keep(draft, beside: browserDrafts), beside: browserDrafts)
        }
        #expect(throws: Never.self) { try cookies.keep(draft(id: kept.id, text: "Okapia"), beside: browserDrafts) }
    }

    @Test("All drafts together stay within 6,000 bytes")
    func total() throws {
        let large = String(repeating: "a", count: 1500)
        var browserDrafts = BrowserDrafts()
        var isFull = false
        while !isFull, browserDrafts.drafts.count < DraftCookies.mostDrafts {
            do {
                browserDrafts = self.browserDrafts(
                    try cookies.keep(draft(text: large), beside: browserDrafts), beside: browserDrafts)
            } catch DraftError.full {
                isFull = true
            }
        }
        #expect(isFull)
        #expect(browserDrafts.drafts.map(\.size).reduce(0, +) <= DraftCookies.largestTotal)
    }

    @Test("A draft cookie is HttpOnly and SameSite=Strict and expires with its draft")
    func attributes() throws {
        let cookie = try cookies.keep(draft(), beside: BrowserDrafts())
        let header = SetCookie(cookie.description)
        #expect(header.attributes.isSuperset(of: ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=604800"]))
        let expired = SetCookie(cookies.expire(cookie.name).description)
        #expect(expired.isExpired && expired.attributes.isSuperset(of: ["HttpOnly", "SameSite=Strict", "Path=/"]))
    }

    @Test("Unreadable draft cookies are listed, and other cookies are ignored")
    func unreadable() {
        let browserDrafts = cookies.open(
            request(
                "d-8080.aaaaaaaaaa=forged; d-9090.b=x; theme=dark; =; d-8080.c=; d-8080.=x; d-8080.evil<scrip=x; d-8080.éé=x"
            ), user: "ada", at: morning)
        #expect(browserDrafts.drafts.isEmpty)
        #expect(browserDrafts.unreadable == ["d-8080.aaaaaaaaaa"])
    }

    @Test("At most 12 unreadable draft cookies are listed")
    func manyUnreadable() {
        let names = (0..<600).map { "d-8080." + String(format: "%010d", $0) }
        let junk = names.map { $0 + "=forged" }.joined(separator: "; ")
        let browserDrafts = cookies.open(request(junk), user: "ada", at: morning)
        #expect(browserDrafts.unreadable == Array(names.prefix(12)))
    }

    @Test("The newest draft comes first")
    func order() throws {
        let (old, new) = (draft(), draft(savedAt: morning.addingTimeInterval(60)))
        let both = browserDrafts(
            try cookies.keep(new, beside: BrowserDrafts()),
            beside: browserDrafts(try cookies.keep(old, beside: BrowserDrafts())))
        #expect(both.drafts.map(\.draft.id) == [new.id, old.id])
    }

    private func size(_ draft: Draft) throws -> Int {
        let cookie = try cookies.keep(draft, beside: BrowserDrafts())
        return cookie.name.utf8.count + cookie.value.utf8.count
    }

    /// Returns the shelf of a browser that also holds the cookie.
    private func browserDrafts(_ cookie: Cookie, beside others: BrowserDrafts = BrowserDrafts()) -> BrowserDrafts {
        var browserDrafts = cookies.open(request("\(cookie.name)=\(cookie.value)"), user: "ada", at: morning)
        browserDrafts.drafts += others.drafts.filter { $0.cookie != cookie.name }
        browserDrafts.drafts.sort { $0.draft.savedAt > $1.draft.savedAt }
        return browserDrafts
    }

    private func request(_ cookies: String) -> Request {
        Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.cookie: cookies]),
            body: RequestBody(buffer: ByteBuffer())
        )
    }
}

let morning = Date(timeIntervalSince1970: 1_700_000_000)

/// Creates a draft for a test.
func draft(
    id: UUID = .version7(), record: UUID = .version7(), user: String = "ada", version: Int64? = nil,
    text: String = "Okapi", savedAt: Date = morning
) -> Draft {
    Draft(
        id: id, record: record, model: "Animal", version: version, sequence: 1, user: user, restoreEpoch: "e",
        schemaFingerprint: "f", savedAt: savedAt, expiresAt: savedAt.addingTimeInterval(7 * 24 * 3600),
        fields: [FormField(name: "name", value: text)]
    )
}

/// Creates a key ring in a new directory.
func keyRing() throws -> KeyRing {
    let directory = try TestDirectory()
    return try KeyRing(directory: directory.path("keys"))
}
