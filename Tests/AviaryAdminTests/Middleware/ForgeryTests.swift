import Foundation
import Testing

@Suite("Cross-site request forgery", .server)
struct ForgeryTests {
    /// The flaw of a forged request.
    enum Forgery: CaseIterable, Sendable {
        case noToken, emptyToken, wrongToken, foreignToken, noSession, crossSite, sameSite, foreignOrigin, nullOrigin
    }

    /// The routes that take forms.
    enum Route: CaseIterable, Sendable {
        case create, update, keep, discard, delete
    }

    @Test("Every route for forms rejects every forged request", arguments: Route.allCases, Forgery.allCases)
    func refused(route: Route, forgery: Forgery) async throws {
        let browser = Browser(try .shared)
        let (path, form, name) = try await request(route, browser)
        let (forged, headers) = try await forge(form, forgery, browser)
        let before = browser.draftCookies
        let answer = try await browser.post(path, forged, headers: headers)
        #expect(answer.status == 403)
        #expect(answer.header("X-Frame-Options") == ["DENY"])
        #expect(browser.draftCookies == before)
        let other = Browser(beside: browser)
        #expect(try await other.rows(named: name) == (route == .create ? 0 : 1))
        #expect(try await other.rows(named: "changed " + name) == 0)
    }

    @Test("Every route accepts the same request without the forgery", arguments: Route.allCases)
    func accepted(route: Route) async throws {
        let browser = Browser(try .shared)
        let (path, form, name) = try await request(route, browser)
        #expect(try await browser.post(path, form).status == 303)
        let changed = try await (browser.rows(named: name), browser.rows(named: "changed " + name))
        switch route {
        case .create, .keep, .discard: #expect(changed == (1, 0))
        case .update: #expect(changed == (0, 1))
        case .delete: #expect(changed == (0, 0))
        }
    }

    @Test(
        "A Sec-Fetch-Site field of this site takes precedence over the origin",
        arguments: [
            ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
            ["Sec-Fetch-Site": "same-origin", "Origin": "null"],
        ])
    func ownPages(headers: [String: String]) async throws {
        let browser = Browser(try .shared)
        let (path, form, _) = try await request(.create, browser)
        #expect(try await browser.post(path, form, headers: headers).status == 303)
    }

    @Test("The site's own origin is accepted without a Sec-Fetch-Site field")
    func ownOrigin() async throws {
        let browser = Browser(try .shared)
        let (path, form, _) = try await request(.create, browser)
        #expect(try await browser.post(path, form, headers: ["Origin": browser.address]).status == 303)
    }

    @Test("A GET request changes no record")
    func reading() async throws {
        let browser = Browser(try .shared)
        let name = Unique.name("Read ")
        let id = try await browser.addAnimal(name)
        _ = try await browser.get("/admin/animals/delete?id=\(id)")
        _ = try await browser.get("/admin/animals/\(id)?name=changed")
        #expect(try await browser.rows(named: name) == 1)
    }

    /// Returns a valid request to the route, and the name of its animal.
    private func request(_ route: Route, _ browser: Browser) async throws -> (path: String, form: Form, name: String) {
        let name = Unique.name("Forged ")
        if route == .create { return ("/admin/animals", try await browser.newAnimal(name), name) }
        let id = try await browser.addAnimal(name)
        let changed = try await browser.sheet(of: "animals", id).with("name", "changed " + name).with(
            "diet", "herbivorous")
        switch route {
        case .create, .update: return ("/admin/animals/\(id)", changed, name)
        case .keep: return ("/admin/animals/draft", changed, name)
        case .discard: return ("/admin/animals/draft/discard", changed, name)
        case .delete: return ("/admin/animals/delete", Form(["id": id, "csrf": try await browser.token()]), name)
        }
    }

    private func forge(_ form: Form, _ forgery: Forgery, _ browser: Browser) async throws -> (Form, [String: String]) {
        switch forgery {
        case .noToken: (form.with("csrf", nil), [:])
        case .emptyToken: (form.with("csrf", ""), [:])
        case .wrongToken: (form.with("csrf", String((form["csrf"] ?? "").reversed())), [:])
        case .foreignToken: (form.with("csrf", try await Browser(beside: browser).token()), [:])
        case .noSession: (form, ["Cookie": "theme=dark"])
        case .crossSite: (form, ["Sec-Fetch-Site": "cross-site", "Origin": browser.address])
        case .sameSite: (form, ["Sec-Fetch-Site": "same-site"])
        case .foreignOrigin: (form, ["Origin": "http://evil.example"])
        case .nullOrigin: (form, ["Origin": "null"])
        }
    }
}
