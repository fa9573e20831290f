import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("Revoked sessions and foreign secrets", .server)
struct RevocationTests {
    private static let password = "tapir umbrella quartz"

    /// A change of the way in which a person signs in.
    enum Change: String, CaseIterable {
        case password, setUp, recoveryCodes, removal, signOutOthers
    }

    @Test(
        "A copied cookie expires when credentials change or other sessions are signed out",
        arguments: Change.allCases)
    func copiedCookie(change: Change) async throws {
        let (name, browser) = try await member()
        if change == .recoveryCodes || change == .removal {
            try await browser.setUpSecondFactor(password: Self.password)
        }
        #expect(try await browser.get("/admin").status == 200)
        let thief = Browser(strangerAt: try .shared)
        thief.cookies = browser.cookies
        #expect(try await thief.get("/admin").status == 200)
        switch change {
        case .password:
            let new = "marble ferry seldom onion"
            let form: KeyValuePairs = ["current": Self.password, "new": new, "repeated": new]
            #expect(try await browser.postOwn("password", form).status == 303)
        case .setUp: try await browser.setUpSecondFactor(password: Self.password)
        case .recoveryCodes:
            #expect(try await browser.postOwn("recovery-codes", ["current": Self.password]).status == 200)
        case .removal:
            #expect(try await browser.postOwn("second-factor/remove", ["current": Self.password]).status == 303)
        case .signOutOthers:
            #expect(try await browser.postOwn("sessions/end", ["session": "others"]).status == 303)
        }
        #expect(try await thief.get("/admin").status == 303, "The copy is worth nothing.")
        #expect(try await browser.get("/admin").status == 200, "This browser stays signed in.")
        #expect(try await Browser(try .shared, as: name).get("/admin").status == 200)
    }

    @Test("The forms on the page after a change of the second factor are valid")
    func formsAfterwards() async throws {
        let (_, browser) = try await member()
        let (form, key) = try await browser.secondFactorForm(password: Self.password)
        let page = try await browser.confirm(form, key: key)
        let signOut = try Form(of: page, action: "/logout")
        #expect(try await browser.post("/logout", signOut).location == "/login")
    }

    @Test("The form for a second factor shows no secret of another account or session")
    func foreignSecret() async throws {
        let (name, ada) = try await member()
        let other = Browser(beside: ada), (_, eve) = try await member()
        let (pending, pendingKey) = try await ada.secondFactorForm(password: Self.password)
        for thief in [eve, other] {
            #expect(try await revealed(pending["secret"], to: thief) != pendingKey)
        }
        #expect(try await ada.confirm(pending, key: pendingKey).status == 200)
        let stored = try #require(try await AccountBook(.shared).account(name).oneTimeSecret)
        for secret in [stored, pending["secret"]] {
            #expect(try await revealed(secret, to: eve) != pendingKey)
        }
    }

    /// Returns the key that the form shows again after a wrong code.
    private func revealed(_ secret: String?, to browser: Browser) async throws -> String? {
        let form = try await browser.secondFactorForm(password: Self.password).form
        let answer = try await browser.post(
            "/admin/account/second-factor", form.with("secret", secret).with("code", "wrong"))
        #expect(answer.status == 422)
        return try #require(answer.secondFactorKey)
    }

    private func member() async throws -> (name: String, browser: Browser) {
        let name = Unique.name("r")
        try await AccountBook(.shared).add(name, password: Self.password)
        return (name, Browser(try .shared, as: name))
    }
}
