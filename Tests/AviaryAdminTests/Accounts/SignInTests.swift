import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("Sign-in and sign-out", .server)
struct SignInTests {
    private static let password = "tapir umbrella quartz"

    private func signIn(
        _ browser: Browser, _ name: String, _ password: String = password, next: String? = nil
    ) async throws -> Answer {
        var form = try Form(of: try await browser.get("/login" + (next.map { "?next=" + $0 } ?? "")), action: "/login")
        form["username"] = name
        form["password"] = password
        return try await browser.post("/login", form)
    }

    private func newAccount(role: Role = .editor) async throws -> String {
        let name = Unique.name("a")
        try await AccountBook(.shared).add(name, password: Self.password, role: role)
        return name
    }

    @Test("A sign-in leads to the requested page")
    func right() async throws {
        let name = try await newAccount()
        let browser = Browser(strangerAt: try .shared)
        let asked = try await browser.get("/admin/animals?sort=name")
        #expect(asked.status == 303 && asked.location == "/login?next=%2Fadmin%2Fanimals%3Fsort%3Dname")
        let answer = try await signIn(browser, name.uppercased(), next: "%2Fadmin%2Fanimals%3Fsort%3Dname")
        #expect(answer.status == 303 && answer.location == "/admin/animals?sort=name")
        #expect(try await browser.get("/admin/animals").status == 200)
    }

    @Test(
        "Every failed sign-in gets the same answer, whatever its cause",
        arguments: ["unknown", "wrong", "disabled", "no name"])
    func wrong(kind: String) async throws {
        var name = try await newAccount()
        var password = Self.password
        switch kind {
        case "unknown": name = "nobody" + name
        case "wrong": password += "x"
        case "disabled":
            let account = try await AccountBook(.shared).account(name)
            try await AccountBook(.shared).use { try await $0.setDisabled(true, of: account.id.uuid, by: "test") }
        default: name = "<b>' OR 1=1 --"
        }
        let browser = Browser(strangerAt: try .shared)
        let answer = try await signIn(browser, name, password)
        #expect(answer.status == 422)
        #expect(answer.body.contains("Wrong name or password."))
        #expect(!answer.body.contains("<b>'"))
        #expect(!answer.source.contains(password))
        #expect(try await browser.get("/admin").status == 303)
    }

    @Test("A sign-in starts a new session, so a session fixation attack fails")
    func fixation() async throws {
        let name = try await newAccount()
        let server = try Server.shared
        let browser = Browser(strangerAt: server)
        _ = try await browser.get("/login")
        let before = try #require(browser.cookies[server.sessionCookie])
        let answer = try await signIn(browser, name)
        let cookie = try #require(answer.setCookies.first { $0.name == server.sessionCookie })
        #expect(cookie.value != before)
        #expect(cookie.attributes.isSuperset(of: ["HttpOnly", "SameSite=Lax", "Path=/"]))
        let other = Browser(strangerAt: server)
        other.cookies = [server.sessionCookie: before]
        #expect(try await other.get("/admin").status == 303)
    }

    @Test("Signing out ends the session for every copy of its cookie and clears drafts in the browser")
    func signOut() async throws {
        let server = try Server.shared
        let browser = Browser(server, as: "leaver")
        let form = try await browser.newAnimal("Half a quokka")
        #expect(try await browser.keep(form).status == 204)
        let stolen = browser.cookies
        let answer = try await browser.post("/logout", Form(["csrf": try await browser.token()]))
        #expect(answer.status == 303 && answer.location == "/login")
        #expect(answer.setCookies.contains { $0.name == server.sessionCookie && $0.isExpired })
        #expect(answer.header("Clear-Site-Data") == [#""cache", "storage""#])
        #expect(browser.draftCookies.isEmpty)
        let thief = Browser(strangerAt: server)
        thief.cookies = stolen
        #expect(try await thief.get("/admin").status == 303)
    }

    @Test(
        "Disabling an account, changing its role or password, or signing it out everywhere ends its session",
        arguments: ["disabled", "role", "password", "everywhere"])
    func revoked(way: String) async throws {
        let name = try await newAccount()
        let browser = Browser(try .shared, as: name)
        #expect(try await browser.get("/admin").status == 200)
        let id = try await AccountBook(.shared).account(name).id.uuid
        try await AccountBook(.shared).use { accounts in
            switch way {
            case "disabled": try await accounts.setDisabled(true, of: id, by: "test")
            case "role": try await accounts.setRole("viewer", of: id, by: "test")
            case "password": try await accounts.setPassword(hash: "$scrypt$", of: id, by: "test")
            default: try await accounts.endSessions(of: id, by: "test")
            }
        }
        #expect(try await browser.get("/admin").status == 303)
    }

    @Test("A session that expires while a sheet is open loses no input", arguments: [false, true])
    func ranOut(isScript: Bool) async throws {
        let name = try await newAccount()
        let server = try Server.shared
        let browser = Browser(server, as: name)
        let title = Unique.name("Half a numbat ")
        let form = try await browser.newAnimal(title)
        try await AccountBook(.shared).age(sessionsOf: name, by: 9 * 3600)
        let asked = try await browser.get("/admin/animals")
        #expect(asked.status == 303, "it ran out")
        if isScript {
            #expect(try await browser.keep(form).status == 204)
        } else {
            let answer = try await browser.post("/admin/animals", form)
            #expect(answer.status == 303)
            #expect(answer.location?.hasPrefix("/login?next=%2Fadmin%2Fanimals%2Fnew%3Fdraft%3D") == true)
        }
        #expect(browser.draftCookies.count == 1)
        #expect(try await Browser(server).rows(named: title) == 0, "nothing is stored")
        let next = "%2Fadmin%2Fanimals%2Fnew"
        let back = try await signIn(browser, name, next: next)
        let page = try await browser.get(try #require(back.location))
        #expect(page.status == 200 && page.body.contains(title))
        let save = try Form(sheetOf: page).with("name", title).with("diet", "herbivorous")
        #expect(try await browser.post("/admin/animals", save).status == 303)
        #expect(try await browser.rows(named: title) == 1)
    }

    private static let ownPage = ["Sec-Fetch-Site": "same-origin"]

    @Test("A sheet of a session that was signed out elsewhere keeps its input until the next sign-in")
    func signedOutElsewhere() async throws {
        let name = try await newAccount()
        let browser = Browser(strangerAt: try .shared)
        #expect(try await signIn(browser, name).status == 303)
        let typed = "Typed before <b>"
        let form = try await browser.newAnimal(typed)
        let other = Browser(strangerAt: try .shared)
        other.cookies = browser.cookies
        #expect(try await other.post("/logout", Form(["csrf": try await other.token()])).status == 303)
        let answer = try await browser.post("/admin/animals", form, headers: Self.ownPage)
        #expect(answer.status == 403)
        #expect(answer.body.contains("You’re signed out"))
        var kept = try Form(of: answer, action: "/admin/animals")
        #expect(kept["name"] == typed)
        #expect(try await signIn(browser, name).status == 303)
        // The page is from the earlier session. The form is sent once more with the new page's token.
        let stale = try await browser.post("/admin/animals", kept, headers: Self.ownPage)
        #expect(stale.status == 403)
        #expect(stale.body.contains("opened before you signed in"))
        kept = try Form(of: stale, action: "/admin/animals")
        #expect(try await browser.post("/admin/animals", kept, headers: Self.ownPage).status == 303)
        #expect(try await browser.rows(named: typed) == 1)
    }

    @Test("A draft of a session that was signed out elsewhere is rejected with the reason")
    func draftSignedOutElsewhere() async throws {
        struct Refused: Decodable { let error: String }
        let name = try await newAccount()
        let browser = Browser(strangerAt: try .shared)
        #expect(try await signIn(browser, name).status == 303)
        let form = try await browser.newAnimal("Typed before")
        let other = Browser(strangerAt: try .shared)
        other.cookies = browser.cookies
        #expect(try await other.post("/logout", Form(["csrf": try await other.token()])).status == 303)
        let script = Self.ownPage.merging(["X-Requested-With": "fetch"]) { first, _ in first }
        func error(_ status: Int) async throws -> String {
            let answer = try await browser.post("/admin/animals/draft", form, headers: script)
            #expect(answer.status == status)
            return try answer.json(Refused.self).error
        }
        #expect(try await error(401).hasPrefix("You’re signed out."))
        #expect(try await browser.post("/admin/animals", form, headers: Self.ownPage).body.contains("Send again"))
        #expect(try await signIn(browser, name).status == 303)
        #expect(
            try await error(403).hasPrefix("Draft not saved: this page was opened before you signed in."))
        #expect(browser.draftCookies.isEmpty)
        // A request that does not come from our own pages gets a different answer.
        let foreign = try await browser.post("/admin/animals/draft", form, headers: ["X-Requested-With": "fetch"])
        #expect(foreign.status == 403)
        #expect(try foreign.json(Refused.self).error.hasPrefix("The form doesn’t belong to this session"))
    }

    @Test(
        "A rejected form is not shown again unless the request is same-origin",
        arguments: [nil, "none", "same-site", "cross-site"])
    func notOurs(site: String?) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Not ours").with("csrf", "x")
        let answer = try await browser.post("/admin/animals", form, headers: site.map { ["Sec-Fetch-Site": $0] } ?? [:])
        #expect(answer.status == 403)
        #expect(!answer.body.contains("Not ours"))
    }

    @Test("An expired session keeps no draft for another account that signs in next")
    func notAnothers() async throws {
        let (name, other) = (try await newAccount(), try await newAccount())
        let server = try Server.shared
        let browser = Browser(server, as: name)
        let form = try await browser.newAnimal("Secret of \(name)")
        try await AccountBook(.shared).age(sessionsOf: name, by: 9 * 3600)
        #expect(try await browser.post("/admin/animals", form).status == 303)
        _ = try await signIn(browser, other)
        let page = try await browser.get("/admin/animals/new")
        #expect(!page.body.contains("Secret of \(name)"))
    }

    @Test(
        "A sign-in never redirects to another server",
        arguments: ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"])
    func openRedirect(next: String) async throws {
        let name = try await newAccount()
        let browser = Browser(strangerAt: try .shared)
        let escaped = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await signIn(browser, name, next: escaped)
        #expect(answer.status == 303 && answer.location == "/admin")
    }

    @Test("Repeated failures rate limit an account, also for the right password, but not another account")
    func throttled() async throws {
        // The test has a server of its own, because failures count for the address as well.
        let server = try await Server.start()
        let book = AccountBook(server), browser = Browser(strangerAt: server)
        let (name, other) = ("guessed", "another")
        for name in [name, other] { try await book.add(name, password: Self.password) }
        for _ in 0..<5 { #expect(try await signIn(browser, name, "wrong").status == 422) }
        try await book.prolongWaits(afterFailures: 5)
        for password in ["wrong", Self.password] {
            let refused = try await signIn(browser, name, password)
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After").first.flatMap { Int($0) } ?? 0 > 0)
        }
        #expect(try await signIn(browser, other).status == 303)
        await server.kill()
    }

    @Test("A sign-in marks the browser as known, and signing out keeps the mark")
    func knownBrowser() async throws {
        let name = try await newAccount()
        let browser = Browser(strangerAt: try .shared)
        #expect(try await signIn(browser, name).status == 303)
        let known = "known-\(try Server.shared.port)"
        let first = try #require(browser.cookies[known])
        #expect(try await browser.post("/logout", Form(["csrf": try await browser.token()])).status == 303)
        #expect(browser.cookies[known] == first)
        #expect(try await signIn(browser, name).status == 303)
        #expect(browser.cookies[known] != first)
    }

    @Test("A forged known-browser cookie does not prevent a sign-in", arguments: ["", "x", "AQAAAAA"])
    func madeUpBrowser(value: String) async throws {
        let name = try await newAccount()
        let browser = Browser(strangerAt: try .shared)
        browser.cookies["known-\(try Server.shared.port)"] = value
        #expect(try await signIn(browser, name).status == 303)
    }

    @Test("A script without a session gets 401 as JSON instead of a page")
    func script() async throws {
        let browser = Browser(strangerAt: try .shared)
        let answer = try await browser.get("/admin/animals", headers: ["X-Requested-With": "fetch"])
        #expect(answer.status == 401)
        #expect(answer.contentType == "application/json")
    }

    @Test("Signing in to another account ends the previous session of the browser")
    func replaced() async throws {
        let (name, other) = (try await newAccount(), try await newAccount())
        let server = try Server.shared
        let browser = Browser(server, as: name)
        _ = try await browser.get("/admin")
        let copied = browser.cookies
        var form = Form(["csrf": try await browser.token()])
        form["username"] = other
        form["password"] = Self.password
        #expect(try await browser.post("/login", form).status == 303)
        let thief = Browser(strangerAt: server)
        thief.cookies = copied
        #expect(try await thief.get("/admin").status == 303)
    }

    @Test("Ending an account's sessions also revokes its links", arguments: [true, false])
    func revokedLink(isRevoked: Bool) async throws {
        let name = try await newAccount()
        let server = try Server.shared
        let token = SecretToken()
        let account = try await AccountBook(server).account(name)
        try await AccountBook(server).use { accounts in
            try await accounts.addLink(
                token.id, for: account.id.uuid, until: Date().addingTimeInterval(3600), by: "test")
            if isRevoked { try await accounts.setRole("viewer", of: account.id.uuid, by: "test") }
        }
        #expect(
            try await Browser(strangerAt: server).get("/login?link=" + token.text).status == (isRevoked ? 410 : 200))
    }

    @Test("A password above the maximum length is rejected immediately")
    func longPassword() async throws {
        let name = try await newAccount()
        let browser = Browser(strangerAt: try .shared)
        #expect(try await signIn(browser, name, String(repeating: "a\u{301}\u{316}", count: 800)).status == 422)
    }

    @Test("A form name with thousands of combining characters answers 400")
    func hostileText() async throws {
        let browser = Browser(strangerAt: try .shared)
        let body = "csr" + String(repeating: "\u{301}\u{316}", count: 4000) + "=1"
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        #expect(try await browser.post("/login", body: body, headers: type).status == 400)
    }
}
