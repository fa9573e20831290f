import AviaryDomain
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Sessions and cookies' names")
struct SessionTests {
    @Test("A session has 128 random bits")
    func random() {
        let sessions = (0..<100).map { _ in Session.begin() }
        #expect(sessions.allSatisfy { $0.id.count == 16 && $0.isNew })
        #expect(Set(sessions.map(\.id)).count == 100)
    }

    @Test("Its cookie continues it")
    func continued() {
        let session = Session.begin()
        let continued = Session(cookie: session.cookieValue)
        #expect(continued?.id == session.id)
        #expect(continued?.isNew == false)
    }

    @Test(
        "What is no session of ours begins a new one",
        arguments: ["", "x", "AAAA", "not base64 at all!!!!!", String(repeating: "A", count: 23)])
    func rubbish(cookie: String) {
        #expect(Session(cookie: cookie) == nil)
    }

    @Test("Two servers on one machine do not take each other's cookies")
    func names() {
        let (one, two) = (CookieNames(port: 8080), CookieNames(port: 9090))
        #expect(one.session == "session-8080")
        #expect(one.draftPrefix == "d-8080.")
        #expect(one.session != two.session)
        #expect(!CookieNames(port: 80).draftPrefix.hasPrefix(one.draftPrefix))
    }
}

@Suite("The names that the server answers under")
struct AllowedHostsTests {
    private let hosts = AllowedHosts(host: "127.0.0.1", port: 8080)

    @Test(
        "Loopback under any of its names, with the port",
        arguments: ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"])
    func allowed(authority: String) {
        #expect(hosts.contains(authority))
    }

    @Test(
        "Everything else is refused",
        arguments: [
            "", "127.0.0.1", "localhost", "127.0.0.1:8081", "evil.example", "evil.example:8080",
            "127.0.0.1:8080.evil.example",
            "localhost:8080@evil.example", "user@127.0.0.1:8080", "127.0.0.1:08080", "[::1]", "::1:8080",
            " 127.0.0.1:8080",
        ])
    func refused(authority: String) {
        #expect(!hosts.contains(authority))
    }

    @Test("On port 80 browsers leave the port out")
    func standardPort() {
        let hosts = AllowedHosts(host: "::1", port: 80)
        #expect(hosts.contains("localhost") && hosts.contains("[::1]") && hosts.contains("[::1]:80"))
    }

    @Test(
        "An origin counts when it is one of our own pages'",
        arguments: [
            ("http://127.0.0.1:8080", true), ("http://localhost:8080", true), ("https://127.0.0.1:8080", false),
            ("null", false), ("", false), ("http://evil.example", false), ("http://127.0.0.1:8080/", false),
            ("127.0.0.1:8080", false),
        ])
    func origins(origin: String, isAllowed: Bool) {
        #expect(hosts.contains(origin: origin) == isAllowed)
    }
}
