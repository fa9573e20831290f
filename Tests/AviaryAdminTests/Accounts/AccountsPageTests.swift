import AviaryDomain
import Foundation
import Testing

@Suite("Account management pages", .server)
struct AccountsPageTests {
    private static let password = "tapir umbrella quartz"

    @Test("A new account's link appears only in the answer and sets a password once")
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
        #expect(try await stranger.post("/login", form).status == 422, "without a password")
        let chosen = form.with("password", Self.password).with("repeated", Self.password)
        #expect(try await stranger.post("/login", chosen).location == "/admin/account")
        #expect(try await stranger.get("/admin/account").body.contains("used to choose the first password"))
        #expect(try await Browser(strangerAt: server).get(String(link.2)).status == 410)
        #expect(try !server.errors().contains(String(link.3)))
    }

    @Test("An invalid or taken name creates no account, and the form escapes the typed name")
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

    @Test("Disabling an account or changing its role ends its sessions immediately")
    func changes() async throws {
        let admin = Browser(try .shared), name = self.name()
        let browser = Browser(try .shared, as: name, role: "editor")
        #expect(try await browser.get("/admin").status == 200)
        let role = try await post(admin, "/" + name, ["action": "role", "role": "viewer"])
        #expect(role.status == 303 && role.location == "/admin/accounts/\(name)?done=role")
        #expect(try await browser.get("/admin").status == 303)
        #expect(try await post(admin, "/" + name, ["action": "disable"]).status == 303)
        #expect(try await AccountBook(.shared).account(name).isDisabled)
        #expect(try await admin.get("/admin/accounts/\(name)?done=disable").body.contains("Disabled the account"))
    }

    @Test("Administrators cannot disable, demote or sign out their own account")
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
        "An unknown action answers 400, and an unknown account answers 404",
        arguments: [
            ("local", "delete", 400), ("local", "", 400), ("nobody", "disable", 404), ("..%2F..", "disable", 404),
            ("%3Cb%3E", "disable", 404),
        ])
    func refused(name: String, action: String, status: Int) async throws {
        #expect(try await post(Browser(try .shared), "/" + name, ["action": action]).status == status)
    }

    @Test(
        "Granting access requires the administrator's own password, which the server then remembers",
        arguments: [["action": "link"], ["action": "role", "role": "admin"], ["action": "second-factor"], [:]])
    func stepUp(fields: [String: String]) async throws {
        let (admin, name) = try await (newAdmin(), self.name())
        try await AccountBook(.shared).add(name, password: Self.password)
        let id = try await AccountBook(.shared).account(name).id.uuid
        try await AccountBook(.shared).use {
            try await $0.setSecondFactor("x", step: 1, recoveryHashes: [], of: id, by: "test")
        }
        let before = try await AccountBook(.shared).account(name).fieldValues, new = self.name()
        var form = Form(["csrf": try await admin.token()])
        for (name, value) in fields.isEmpty ? ["name": new, "role": "admin"] : fields { form[name] = value }
        let path = "/admin/accounts" + (fields.isEmpty ? "" : "/" + name)
        let asked = try await admin.post(path, form)
        #expect(asked.status == 200 && asked.body.contains("<h1>Confirm your password</h1>"))
        #expect(asked.source.contains("gives access to the account “\(name)”.") == (fields["action"] == "link"))
        #expect(!asked.source.contains("/login?link="))
        let question = try Form(of: asked, action: path)
        #expect(try await admin.post(path, question.with("current", "wrong")).status == 422)
        #expect(try await AccountBook(.shared).account(name).fieldValues == before)
        await #expect(throws: AccountError.notFound) { try await AccountBook(.shared).account(new) }
        let done = try await admin.post(path, question.with("current", Self.password))
        #expect(done.source.contains("/login?link=") == (fields.isEmpty || fields["action"] == "link"))
        #expect([200, 303].contains(done.status) && !done.body.contains("Confirm your password"))
        let again = try await post(admin, "", ["name": self.name(), "role": "viewer"])
        #expect(again.source.contains("/login?link="), "The password is remembered.")
    }

    @Test("Enabling an account asks for the administrator's own password, and disabling does not")
    func stepUpToEnable() async throws {
        let (admin, name) = try await (newAdmin(), self.name())
        try await AccountBook(.shared).add(name, password: Self.password)
        let path = "/admin/accounts/" + name
        #expect(try await post(admin, "/" + name, ["action": "disable"]).location == path + "?done=disable")
        let asked = try await post(admin, "/" + name, ["action": "enable"])
        #expect(asked.status == 200 && asked.body.contains("<h1>Confirm your password</h1>"))
        #expect(try await AccountBook(.shared).account(name).isDisabled)
        let question = try Form(of: asked, action: path)
        #expect(try await admin.post(path, question.with("current", "wrong")).status == 422)
        #expect(try await AccountBook(.shared).account(name).isDisabled)
        #expect(try await admin.post(path, question.with("current", Self.password)).location == path + "?done=enable")
        #expect(try await !AccountBook(.shared).account(name).isDisabled)
    }

    @Test("Signing in counts as confirming the password")
    func freshSignIn() async throws {
        let name = self.name()
        try await AccountBook(.shared).add(name, password: Self.password, role: .admin)
        let browser = Browser(strangerAt: try .shared)
        let form = try Form(of: try await browser.get("/login"), action: "/login").with("username", name)
        #expect(try await browser.post("/login", form.with("password", Self.password)).status == 303)
        let answer = try await post(browser, "", ["name": self.name(), "role": "viewer"])
        #expect(answer.source.contains("/login?link="))
    }

    @Test("An account link keeps the second factor, and the owner sees a notice at the next sign-in")
    func linkKeepsFactor() async throws {
        let server = try Server.shared, name = self.name()
        try await AccountBook(server).add(name, password: Self.password)
        let owner = Browser(server, as: name)
        let codes = try await owner.setUpSecondFactor(password: Self.password).recoveryCodes
        let answer = try await post(Browser(server, as: "local"), "/" + name, ["action": "link"])
        let path = String(try #require(answer.source.firstMatch(of: /\/login\?link=[\w-]+/)).0)
        let browser = Browser(strangerAt: server)
        let form = try Form(of: try await browser.get(path), action: "/login")
        let new = "marble ferry seldom onion"
        let asked = try await browser.post("/login", form.with("password", new).with("repeated", new))
        #expect(asked.status == 200 && asked.body.contains("Two-factor authentication"))
        #expect(try await browser.get("/admin").status == 303, "Without a code nobody is signed in.")
        #expect(try await owner.get("/admin").status == 303, "A new password ends every session.")
        let code = try Form(of: asked, action: "/login").with("code", codes[0])
        let news = try await browser.post("/login", code)
        #expect(news.status == 303 && news.location == "/admin/account?next=%2Fadmin%2Faccount")
        let page = try await browser.get("/admin/account?next=%2Fadmin%2Fanimals")
        #expect(page.body.contains("A link from local was used to change your password"))
        #expect(page.body.contains(#"href="/admin/animals""#))
        for path in ["", "?next=%2F%2Fevil.example"] {
            #expect(try await !browser.get("/admin/account" + path).body.contains("Someone else changed"))
        }
    }

    private func newAdmin() async throws -> Browser {
        let name = self.name()
        try await AccountBook(.shared).add(name, password: Self.password, role: .admin)
        return Browser(try .shared, as: name)
    }

    @Test("The pages find an account whose name needs escaping in an address")
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
