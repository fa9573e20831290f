import AviaryDomain
import Foundation
import Testing

@Suite("The pages of everybody's accounts", .server)
struct AccountsPageTests {
    @Test("A new account's link is in the answer alone: it signs in once, and neither an address nor the log holds it")
    func link() async throws {
        let server = try Server.shared
        let name = self.name()
        let answer = try await post(Browser(server), "", ["name": name, "role": "viewer"])
        #expect(answer.status == 200 && answer.location == nil)
        #expect(answer.header("Cache-Control") == ["no-store"])
        let link = try #require(
            answer.source.firstMatch(of: /<code class="secret">(http:\/\/127\.0\.0\.1:\d+)(\/login\?link=([\w-]+))</))
        #expect(link.1 == server.address)
        #expect(try await AccountBook(server).account(name).role == "viewer")

        let stranger = Browser(strangerAt: server)
        let form = try Form(of: try await stranger.get(String(link.2)), action: "/login")
        #expect(try await stranger.post("/login", form).location == "/admin/account")
        #expect(try await stranger.get("/admin/account").body.contains("You have no password yet"))
        #expect(try await Browser(strangerAt: server).get(String(link.2)).status == 410)
        #expect(try !server.errors().contains(String(link.3)))
    }

    @Test("A name that will not do, or is taken, makes nothing and comes back as it was typed")
    func names() async throws {
        let browser = Browser(try .shared)
        let bad = try await post(browser, "", ["name": "<i>x", "role": "viewer"])
        #expect(bad.status == 422)
        #expect(bad.body.contains("&lt;i&gt;x") && !bad.body.contains("<i>x"))
        let name = self.name()
        #expect(try await post(browser, "", ["name": name, "role": "viewer"]).status == 200)
        let taken = try await post(browser, "", ["name": name.uppercased(), "role": "admin"])
        #expect(taken.status == 409 && !taken.body.contains("/login?link="))
        #expect(try await AccountBook(.shared).account(name).role == "viewer")
    }

    @Test("Another role, and disabling, end the account's sessions at once, and lead back to its page")
    func changes() async throws {
        let admin = Browser(try .shared), name = self.name()
        let browser = Browser(try .shared, as: name, role: "editor")
        #expect(try await browser.get("/admin").status == 200)
        let role = try await post(admin, "/" + name, ["action": "role", "role": "viewer"])
        #expect(role.status == 303 && role.location == "/admin/accounts/\(name)?done=role")
        #expect(try await browser.get("/admin").status == 303)
        #expect(try await post(admin, "/" + name, ["action": "disable"]).status == 303)
        #expect(try await AccountBook(.shared).account(name).isDisabled)
        #expect(try await admin.get("/admin/accounts/\(name)?done=disable").body.contains("The account is disabled"))
    }

    @Test("Nobody locks themselves out, or out of managing accounts")
    func own() async throws {
        let admin = Browser(try .shared, as: "local")
        for fields: KeyValuePairs in [
            ["action": "disable"], ["action": "role", "role": "viewer"], ["action": "sign-out"],
        ] {
            let answer = try await post(admin, "/local", fields)
            #expect(answer.status == 409)
            #expect(answer.body.contains("This is your own account."))
        }
        #expect(try await admin.get("/admin/accounts").status == 200)
    }

    @Test(
        "What is no action is refused, and what is no account is not found",
        arguments: [
            ("local", "delete", 400), ("local", "", 400), ("nobody", "disable", 404), ("..%2F..", "disable", 404),
            ("%3Cb%3E", "disable", 404),
        ])
    func refused(name: String, action: String, status: Int) async throws {
        #expect(try await post(Browser(try .shared), "/" + name, ["action": action]).status == status)
    }

    @Test("A name with signs that an address writes otherwise is found")
    func escaped() async throws {
        let admin = Browser(try .shared), name = self.name() + "+a@example.org"
        _ = try await post(admin, "", ["name": name, "role": "viewer"])
        let page = try await admin.get("/admin/accounts/" + FormEncoding.escape(name))
        #expect(page.status == 200 && page.body.contains("<h1>\(name)</h1>"))
        #expect(
            try await admin.get("/admin/accounts?after=" + FormEncoding.escape(String(name.dropLast()))).body.contains(
                "<bdi>\(name)</bdi>"))
    }

    private func name() -> String { Unique.name("n") }

    private func post(_ browser: Browser, _ path: String, _ fields: KeyValuePairs<String, String>) async throws
        -> Answer
    {
        var form = Form(fields)
        form["csrf"] = try await browser.token()
        return try await browser.post("/admin/accounts" + path, form)
    }
}
