import AviaryDesign
import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("Account pages")
struct AccountPagesTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    private static let hostileTexts = [
        "<script>alert(1)</script>", #""><img src=x onerror=alert(1)>"#, "' onmouseover='alert(1)",
        "</code></dl><form action=//evil>",
        "\"\u{301}><b\u{338}>", "<!--", "javascript:alert(1)", String(repeating: "x", count: 10_000),
    ]

    @Test(
        "Hostile text in a user agent, an address, a name or a role does not change the markup", arguments: hostileTexts
    )
    func hostile(text: String) async throws {
        let plain = try await pages("plain"), hostile = try await pages(text)
        for (plain, hostile) in zip(plain, hostile) {
            #expect(Tags(hostile).names == Tags(plain).names)
            #expect(
                !hostile.contains("<script") && !hostile.contains("<img") && !hostile.contains("href=\"javascript:"))
        }
    }

    @Test("Every element is closed, and no id repeats")
    func valid() async throws {
        for page in try await pages("plain") {
            let tags = Tags(page)
            #expect(tags.unbalanced.isEmpty, "\(page)")
            #expect(Set(tags.ids).count == tags.ids.count)
        }
    }

    @Test("Every form that posts contains a CSRF token")
    func tokens() async throws {
        for page in try await pages("plain") {
            let forms = page.matches(of: /<form[^>]*method="post"[^>]*>(.*?)<\/form>/.dotMatchesNewlines())
            for form in forms { #expect(form.1.contains(#"name="csrf" value="token""#)) }
        }
    }

    @Test("A typed password is never sent back")
    func passwords() async throws {
        let ada = try await fixture.add("ada")
        var model = PasswordViewModel(
            owner: try await fixture.owner(ada, in: try await fixture.signIn(ada)), application: "Zoo")
        let outcome = await model.change(
            current: "secret current one", new: "secret new one here", repeated: "secret other one")
        #expect(outcome == .refused)
        #expect(!rendered(PasswordView(model: model, csrf: "token")).contains("secret"))
    }

    @Test("The page of an account never contains a hash or a sealed secret")
    func secrets() async throws {
        let ada = try await fixture.add("ada")
        try await fixture.accounts.setSecondFactor(
            "sealed:JBSW", step: 1, recoveryHashes: ["hash-of-X"], of: ada.id.uuid, by: "test")
        let own = try await OwnAccountViewModel(owner: try await fixture.owner(ada, in: try await fixture.signIn(ada)))
        let page = rendered(OwnAccountView(model: own, csrf: "token"))
        for secret in ["sealed", "JBSW", "hash-of", "plain "] { #expect(!page.contains(secret)) }
        #expect(page.contains("1 recovery code left."))
    }

    @Test("The setup page shows the key in groups and as an otpauth link")
    func key() async throws {
        let ada = try await fixture.add("ada")
        let page = rendered(SecondFactorSetupView(model: try await setup(ada), csrf: "token"))
        #expect(page.contains("JBSW Y3DP EHPK 3PXP"))
        #expect(page.contains(#"href="otpauth://totp/Zoo:ada?secret=JBSWY3DPEHPK3PXP&amp;issuer=Zoo"#))
    }

    @Test("The setup page says if the role requires a second factor, and then offers no Cancel button")
    func requiredFactor() async throws {
        let ada = try await fixture.add("ada")
        for isRequired in [true, false] {
            let principal = Principal(
                account: ada.id.uuid, name: "ada", role: .editor, epoch: 1, lacksSecondFactor: isRequired)
            let owner = try await AccountOwner(
                principal: principal, session: try await fixture.signIn(ada), successor: UUID(),
                accounts: fixture.accounts, passwords: fixture.passwords, attemptID: { _ in UUID() },
                at: AccountsFixture.now)
            let model = try #require(
                try SecondFactorSetupViewModel(
                    owner: owner, application: "Zoo", oneTimePasswords: fixture.oneTimePasswords))
            let page = rendered(SecondFactorSetupView(model: model, csrf: "token"))
            #expect(page.contains("Your role requires two-factor authentication.") == isRequired)
            #expect(page.contains("Cancel") == !isRequired)
        }
    }

    @Test("The page of an account says whether the account lacks a password")
    func noPassword() async throws {
        let (ada, eve) = (try await fixture.add("ada", password: nil), try await fixture.add("eve"))
        for (account, expected) in [(ada, true), (eve, false)] {
            let model = try await OwnAccountViewModel(
                owner: try await fixture.owner(account, in: try await fixture.signIn(account)))
            #expect(
                rendered(OwnAccountView(model: model, csrf: "token")).contains("You have no password yet") == expected)
        }
    }

    @Test("Account management shows forms for another account, but none for one's own")
    func ownButtons() async throws {
        let zoe = try await fixture.add("zoe", role: "admin")
        try await fixture.add("ada")
        let principal = try await fixture.principal(zoe)
        for (name, expected) in [("zoe", false), ("ada", true)] {
            let model = try await AccountViewModel(
                name: name, principal: principal, accounts: fixture.accounts, at: AccountsFixture.now)
            #expect(rendered(AccountView(model: model, csrf: "token")).contains("<form") == expected)
        }
    }

    @Test("A role that no longer exists stays selected")
    func formerRole() async throws {
        let zoe = try await fixture.add("zoe", role: "admin")
        let ada = Account(name: "ada", role: "emperor", passwordHash: nil, createdAt: AccountsFixture.now)
        let model = AccountViewModel(
            ada, principal: try await fixture.principal(zoe), accounts: fixture.accounts, at: AccountsFixture.now)
        #expect(rendered(AccountView(model: model, csrf: "token")).contains(#"<option value="emperor" selected>"#))
    }

    private func setup(_ account: Account) async throws -> SecondFactorSetupViewModel {
        try #require(
            try SecondFactorSetupViewModel(
                owner: try await fixture.owner(account, in: try await fixture.signIn(account)), application: "Zoo",
                oneTimePasswords: fixture.oneTimePasswords
            ))
    }

    /// Renders every page with the same text in all places that can contain external text.
    private func pages(_ text: String) async throws -> [String] {
        let fixture = try AccountsFixture()
        let account = Account(name: text, role: text, passwordHash: nil, createdAt: AccountsFixture.now)
        let zoe = try await fixture.add("zoe", role: "admin"), ada = try await fixture.add("ada")
        let here = try await fixture.signIn(ada)
        _ = try await fixture.signIn(ada, address: text, userAgent: text)
        let owner = try await fixture.owner(ada, in: here)
        var password = PasswordViewModel(owner: owner, application: text)
        _ = await password.change(
            current: text, new: AccountsFixture.newPassword, repeated: AccountsFixture.newPassword)
        var setup = try await self.setup(fixture, owner, text)
        _ = await setup.confirm(code: text, current: text)
        let admin = try await fixture.principal(zoe)
        var new = try NewAccountViewModel(principal: admin, accounts: fixture.accounts)
        _ = await new.make(name: text + "<", role: text, at: AccountsFixture.now) { _ in "" }
        return [
            rendered(
                OwnAccountView(model: try await OwnAccountViewModel(owner: owner), csrf: "token", news: .password)),
            rendered(PasswordView(model: password, csrf: "token")),
            rendered(SecondFactorSetupView(model: setup, csrf: "token")),
            rendered(RecoveryCodesView(codes: [text, text], news: text)),
            rendered(NewAccountView(model: new, csrf: "token")),
            rendered(AccountLinkView(account: account, link: text, isNew: true)),
            rendered(
                AccountView(
                    model: AccountViewModel(
                        account, openSessions: 2, principal: admin, accounts: fixture.accounts, at: AccountsFixture.now),
                    csrf: "token", news: .role
                )),
            rendered(AccountListView(model: AccountListViewModel([account, account], count: 300, next: text))),
        ]
    }

    private func setup(_ fixture: AccountsFixture, _ owner: AccountOwner, _ text: String) async throws
        -> SecondFactorSetupViewModel
    {
        // A name of thousands of characters does not fit into a QR code.
        try #require(
            try SecondFactorSetupViewModel(
                owner: owner, application: String(text.prefix(60)), oneTimePasswords: fixture.oneTimePasswords
            ))
    }
}

@Suite("Addresses of the account pages")
struct AccountPathsTests {
    @Test("The sign-in page has the address that the README names")
    func signIn() {
        #expect(AccountPaths.signIn == "/login")
    }
}
