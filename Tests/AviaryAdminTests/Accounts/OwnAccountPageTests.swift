import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("The page of the person's own account", .server)
struct OwnAccountPageTests {
    private static let password = "tapir umbrella quartz"
    private static let newPassword = "marble ferry seldom onion"

    @Test("A new password replaces the old one and signs out all other browsers")
    func password() async throws {
        let (name, browser) = try await member()
        let other = Browser(beside: browser)
        #expect(try await other.get("/admin").status == 200)
        let answer = try await post(
            browser, "password",
            [
                "current": Self.password, "new": Self.newPassword, "repeated": Self.newPassword,
            ])
        #expect(answer.status == 303 && answer.location == "/admin/account?done=password")
        #expect(try await browser.get("/admin/account?done=password").body.contains("Saved your new password."))
        #expect(try await other.get("/admin").status == 303)
        #expect(try await signIn(name, Self.newPassword).status == 303)
        #expect(try await signIn(name, Self.password).status == 422)
    }

    @Test("A wrong current password is rejected, and repeated failures are rate limited")
    func throttled() async throws {
        let (_, browser) = try await member()
        for _ in 0..<5 {
            let answer = try await post(
                browser, "password",
                [
                    "current": "wrong", "new": Self.newPassword, "repeated": Self.newPassword,
                ])
            #expect(answer.status == 422)
            #expect(!answer.source.contains(Self.newPassword))
        }
        try await AccountBook(.shared).prolongWaits(afterFailures: 5)
        for current in ["wrong", Self.password] {
            let answer = try await post(
                browser, "password", ["current": current, "new": Self.newPassword, "repeated": Self.newPassword])
            #expect(answer.status == 429)
            #expect(answer.header("Retry-After").first.flatMap { Int($0) } ?? 0 > 0)
        }
    }

    @Test("A second factor is required at sign-in, and a recovery code replaces it once")
    func secondFactor() async throws {
        let (name, browser) = try await member()
        let page = try await browser.get("/admin/account/second-factor")
        let key = String(
            try #require(page.source.firstMatch(of: /<code class="secret">([A-Z2-7 ]+)</)).1.filter { $0 != " " })
        let form = try Form(of: page, action: "/admin/account/second-factor").with("current", Self.password)
        let secret = try #require(Base32.decode(key))
        func code(_ step: Int) -> String { String(decoding: OneTimeCode.code(of: secret, step: step), as: UTF8.self) }
        // The code is that of a later hour and differs from all codes of these minutes.
        let near = OneTimeCode.step(at: Date()), codes = Set((near - 10...near + 100).map(code))
        let wrong = try #require((near + 1000...near + 2000).map(code).first { !codes.contains($0) })
        #expect(try await browser.post("/admin/account/second-factor", form.with("code", wrong)).status == 422)
        #expect(try await AccountBook(.shared).account(name).oneTimeSecret == nil)
        var answer: Answer, step: Int
        repeat {
            step = OneTimeCode.step(at: Date())
            answer = try await browser.post("/admin/account/second-factor", form.with("code", code(step)))
            // On a machine so slow that the code has expired when the server checks it, another code is sent.
        } while answer.status == 422 && OneTimeCode.step(at: Date()) > step + 1
        #expect(answer.status == 200 && answer.header("Cache-Control") == ["no-store"])
        let recoveryCodes = answer.source.matches(of: /<li><code>([A-Z2-7-]+)<\/code>/).map { String($0.1) }
        #expect(recoveryCodes.count == 10)
        #expect(try await browser.get("/admin").status == 200)

        let stranger = Browser(strangerAt: try .shared)
        let asked = try await signIn(name, Self.password, in: stranger)
        #expect(asked.status == 200)
        #expect(try await stranger.get("/admin").status == 303)
        let recovery = try Form(of: asked, action: "/login").with("code", recoveryCodes.first)
        #expect(try await stranger.post("/login", recovery).status == 303)
        #expect(try await stranger.get("/admin").status == 200)

        let own = try await browser.get("/admin/account")
        #expect(own.body.contains("9 recovery codes left."))
        for secret in recoveryCodes + [key] { #expect(!own.source.contains(secret)) }
    }

    @Test("A person can end their own other sessions, but not those of another person")
    func sessions() async throws {
        let (_, browser) = try await member(), (_, stranger) = try await member()
        let other = Browser(beside: browser)
        #expect(try await other.get("/admin").status == 200)
        let ids = try await browser.get("/admin/account").source.matches(of: /name="session" value="([0-9a-f-]{36})"/)
            .map { String($0.1) }
        let id = try #require(ids.first)
        #expect(ids.count == 1)
        #expect(try await post(stranger, "sessions/end", ["session": id]).status == 303)
        #expect(try await other.get("/admin").status == 200)
        #expect(try await post(browser, "sessions/end", ["session": id]).location == "/admin/account?done=sessionEnded")
        #expect(try await other.get("/admin").status == 303)
        #expect(try await browser.get("/admin").status == 200)
    }

    @Test(
        "Ending an invalid session identifier answers 400",
        arguments: ["", "x", "../..", "00000000-0000-0000-0000-00000000000"])
    func noSession(id: String) async throws {
        let (_, browser) = try await member()
        #expect(try await post(browser, "sessions/end", ["session": id]).status == 400)
    }

    @Test("Every page shows the signed-in account and a sign-out form")
    func frame() async throws {
        let (name, browser) = try await member()
        for path in ["/admin", "/admin/animals", "/admin/account"] {
            let page = try await browser.get(path).body
            #expect(page.contains("<bdi>\(name)</bdi>"))
            #expect(page.contains(#"action="/logout""#))
            #expect(!page.contains(#"href="/admin/accounts""#), "An editor manages no accounts.")
        }
        #expect(try await Browser(.shared, as: "local").get("/admin").body.contains(#"href="/admin/accounts""#))
    }

    private func member() async throws -> (name: String, browser: Browser) {
        let name = Unique.name("o")
        try await AccountBook(.shared).add(name, password: Self.password)
        return (name, Browser(try .shared, as: name))
    }

    private func post(_ browser: Browser, _ path: String, _ fields: KeyValuePairs<String, String>) async throws
        -> Answer
    {
        var form = Form(fields)
        form["csrf"] = try await browser.token()
        return try await browser.post("/admin/account/" + path, form)
    }

    private func signIn(_ name: String, _ password: String, in browser: Browser? = nil) async throws -> Answer {
        let browser = try browser ?? Browser(strangerAt: .shared)
        var form = try Form(of: try await browser.get("/login"), action: "/login")
        form["username"] = name
        form["password"] = password
        return try await browser.post("/login", form)
    }
}
