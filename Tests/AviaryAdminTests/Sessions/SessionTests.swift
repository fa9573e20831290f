import AviaryDomain
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Sessions and cookie names")
struct SessionTests {
    @Test("A session has 128 random bits")
    func random() {
        let sessions = (0..<100).map { _ in Session.begin() }
        #expect(sessions.allSatisfy { $0.id.count == 16 && $0.isNew })
        #expect(Set(sessions.map(\.id)).count == 100)
    }

    @Test("A session cookie continues its session")
    func continued() {
        let session = Session.begin()
        let continued = Session(cookie: session.cookieValue)
        #expect(continued?.id == session.id)
        #expect(continued?.isNew == false)
    }

    @Test(
        "An invalid cookie is not a session",
        arguments: ["", "x", "AAAA", "not base64 at all!!!!!", String(repeating: "A", count: 23)])
    func rubbish(cookie: String) {
        #expect(Session(cookie: cookie) == nil)
    }

    @Test("Servers on different ports use different cookie names")
    func names() {
        let (one, two) = (CookieNames(port: 8080), CookieNames(port: 9090))
        #expect(one.session == "session-8080")
        #expect(one.draftPrefix == "d-8080.")
        #expect(one.session != two.session)
        #expect(!CookieNames(port: 80).draftPrefix.hasPrefix(one.draftPrefix))
    }
}

@Suite("Allowed hosts")
struct AllowedHostsTests {
    private let hosts = AllowedHosts(host: "127.0.0.1", port: 8080)

    @Test(
        "Every loopback name is allowed with the port",
        arguments: ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"])
    func allowed(authority: String) {
        #expect(hosts.contains(authority))
    }

    @Test(
        "Every other host is rejected",
        arguments: [
            "", "127.0.0.1", "localhost", "127.0.0.1:8081", "evil.example", "evil.example:8080",
            "127.0.0.1:8080.evil.example",
            "localhost:8080@evil.example", "user@127.0.0.1:8080", "127.0.0.1:08080", "[::1]", "::1:8080",
            " 127.0.0.1:8080",
        ])
    func refused(authority: String) {
        #expect(!hosts.contains(authority))
    }

    @Test("On port 80, the port may be omitted")
    func standardPort() {
        let hosts = AllowedHosts(host: "::1", port: 80)
        #expect(hosts.contains("localhost") && hosts.contains("[::1]") && hosts.contains("[::1]:80"))
    }

    @Test(
        "Only origins of the server's own pages are allowed",
        arguments: [
            ("http://127.0.0.1:8080", true), ("http://localhost:8080", true), ("https://127.0.0.1:8080", false),
            ("null", false), ("", false), ("http://evil.example", false), ("http://127.0.0.1:8080/", false),
            ("127.0.0.1:8080", false),
        ])
    func origins(origin: String, isAllowed: Bool) {
        #expect(hosts.contains(origin: origin) == isAllowed)
    }
}
