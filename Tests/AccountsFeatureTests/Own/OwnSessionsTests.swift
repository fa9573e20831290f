import AviaryDomain
import Foundation
import Testing

@testable import AccountsFeature

@Suite("One's own sessions")
struct OwnSessionsTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("The current session comes first, followed by the others, most recent first")
    func order() async throws {
        let ada = try await fixture.add("ada")
        let hour = AccountsFixture.now.addingTimeInterval(-3600)
        let here = try await fixture.signIn(ada, at: hour.addingTimeInterval(-60))
        let old = try await fixture.signIn(ada, at: hour), new = try await fixture.signIn(ada)
        let model = try await OwnAccountViewModel(owner: try await fixture.owner(ada, in: here))
        #expect(model.sessions.map(\.id) == [here, new, old])
        #expect(model.sessions.map(\.isCurrent) == [true, false, false])
        #expect(model.sessions.last?.lastSeen == "1 hour ago")
    }

    @Test("The page omits expired sessions and those of other accounts")
    func others() async throws {
        let (ada, eve) = (try await fixture.add("ada"), try await fixture.add("eve"))
        let here = try await fixture.signIn(ada)
        _ = try await fixture.signIn(eve)
        _ = try await fixture.signIn(ada, at: AccountsFixture.now.addingTimeInterval(-9 * 3600))
        let model = try await OwnAccountViewModel(owner: try await fixture.owner(ada, in: here))
        #expect(model.sessions.map(\.id) == [here])
    }

    @Test("The page shows at most 20 sessions and the number of the others")
    func many() async throws {
        let ada = try await fixture.add("ada")
        let here = try await fixture.signIn(ada)
        for _ in 0..<24 { _ = try await fixture.signIn(ada) }
        let model = try await OwnAccountViewModel(owner: try await fixture.owner(ada, in: here))
        #expect(model.sessions.count == 20)
        #expect(model.hiddenSessions == 5)
    }

    @Test("Ending a session leaves the other sessions valid")
    func end() async throws {
        let ada = try await fixture.add("ada")
        let here = try await fixture.signIn(ada), there = try await fixture.signIn(ada),
            third = try await fixture.signIn(ada)
        try await OwnAccountViewModel.endSession(
            there, of: try await fixture.owner(ada, in: here), address: "192.0.2.1")
        #expect(try await !fixture.isSignedIn(there))
        #expect(try await fixture.isSignedIn(here))
        #expect(try await fixture.isSignedIn(third))
    }

    @Test("An account cannot end the sessions of another account")
    func foreign() async throws {
        let (ada, eve) = (try await fixture.add("ada"), try await fixture.add("eve"))
        let victim = try await fixture.signIn(ada)
        let owner = try await fixture.owner(eve, in: try await fixture.signIn(eve))
        try await OwnAccountViewModel.endSession(victim, of: owner, address: "192.0.2.1")
        try await OwnAccountViewModel.endOtherSessions(of: owner, address: "192.0.2.1")
        #expect(try await fixture.isSignedIn(victim))
    }

    @Test("Ending all other sessions keeps the drafts of the current browser")
    func endOthers() async throws {
        let ada = try await fixture.add("ada")
        let here = try await fixture.signIn(ada), there = try await fixture.signIn(ada)
        let draftOwner = try await fixture.principal(ada).draftOwner
        let owner = try await fixture.owner(ada, in: here)
        try await OwnAccountViewModel.endOtherSessions(of: owner, address: "192.0.2.1")
        #expect(try await fixture.isSignedIn(owner.renewal.new))
        #expect(try await !fixture.isSignedIn(here), "A copied cookie is worth nothing.")
        #expect(try await !fixture.isSignedIn(there))
        #expect(try await fixture.principal(ada).draftOwner == draftOwner)
    }

    @Test("Ending all other sessions renews the id of the current session, even if it is the only one")
    func alone() async throws {
        let ada = try await fixture.add("ada")
        let owner = try await fixture.owner(ada, in: try await fixture.signIn(ada))
        try await OwnAccountViewModel.endOtherSessions(of: owner, address: "192.0.2.1")
        #expect(try await fixture.isSignedIn(owner.renewal.new))
        #expect(try await !fixture.isSignedIn(owner.renewal.old))
    }

    @Test(
        "A user agent is described in words",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome on Windows"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on an iPhone"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                "Safari on a Mac"
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                "Chrome on Android"
            ),
            ("curl/8.5.0", "curl"), ("", "Unknown browser"),
            ("Mozilla/5.0", "Unknown browser"),
        ])
    func words(userAgent: String, expected: String) {
        #expect(BrowserNameFormatter.text(userAgent) == expected)
    }
}
