import ArgumentParser
import Hummingbird
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands
@testable import AviaryHTTP

@Suite("Public URL")
struct PublicURLTests {
    @Test(
        "Scheme, host and port are parsed, and the default port is omitted",
        arguments: [
            ("https://zoo.example.org", "https://zoo.example.org", 443),
            ("HTTPS://Zoo.Example.ORG/", "https://zoo.example.org", 443),
            ("https://zoo.example.org:443", "https://zoo.example.org", 443),
            ("https://zoo.example.org:8443", "https://zoo.example.org:8443", 8443),
            ("https://192.0.2.7", "https://192.0.2.7", 443),
            ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443", 8443),
            ("https://xn--zo-lka.example", "https://xn--zo-lka.example", 443),
            ("http://localhost:9000", "http://localhost:9000", 9000),
            ("http://127.0.0.1", "http://127.0.0.1", 80), ("http://[::1]:9000/", "http://[::1]:9000", 9000),
        ])
    func good(text: String, shown: String, port: Int) throws {
        let url = try PublicURL(text)
        #expect(url.description == shown)
        #expect(url.port == port)
        #expect(url.isSecure == shown.hasPrefix("https"))
        #expect(try PublicURL(url.description) == url)
    }

    @Test(
        "An invalid URL is rejected with the reason",
        arguments: [
            ("https://zoo.example.org/admin", "a path"), ("https://zoo.example.org//", "a path"),
            ("https://zoo.example.org\\admin", "a path"),
            ("https://zoo.example.org?x=1", "a query"), ("https://zoo.example.org#top", "a fragment"),
            ("https://ada@zoo.example.org", "user information"),
            ("https://ada:secret@zoo.example.org", "user information"),
            ("ftp://zoo.example.org", "another scheme"), ("javascript://zoo.example.org", "another scheme"),
            ("://zoo.example.org", "another scheme"),
            ("zoo.example.org", "no URL"), ("", "no URL"), ("https:zoo.example.org", "no URL"),
            ("https://", "no host"), ("https://:8443", "no host"), ("https://zoo..org", "no host"),
            ("https://-zoo.org", "no host"),
            ("https://zoo.example.org:0", "no host"), ("https://zoo.example.org:65536", "no host"),
            ("https://zoo.example.org:", "no host"),
            ("https://zoo.example.org:+443", "no host"), ("https://zoo.example.org:44 3", "no host"),
            ("https://zöö.example", "no host"),
            ("https://zoo example.org", "no host"), ("https://192.0.2", "no host"), ("https://1.2.3.999", "no host"),
            ("https://[::1", "no host"),
            ("https://[zoo]", "no host"), ("https://::1", "no host"), ("https://*.example.org", "no host"),
            ("https://zoo_.example.org", "no host"),
            ("http://zoo.example.org", "use https"), ("http://192.0.2.7", "use https"),
            ("http://127.example.org", "use https"),
        ])
    func bad(text: String, words: String) {
        let error = #expect(throws: AddressError.self) { try PublicURL(text) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
}

@Suite("Address ranges of proxies")
struct AddressRangeTests {
    @Test(
        "A range contains the addresses of its network and no others",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("10.128.0.0/9", "10.127.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("0.0.0.0/0", "192.0.2.1", true),
            ("0.0.0.0/0", "::1", false), ("::/0", "192.0.2.1", false), ("fd00::/8", "fdff::1", true),
            ("fd00::/8", "fe00::1", false),
            ("::1", "::1", true), ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("192.0.2.4/31", "192.0.2.5", true),
            ("192.0.2.4/31", "192.0.2.6", false),
        ])
    func contains(range: String, address: String, isIn: Bool) throws {
        #expect(try AddressRange(range).contains(try #require(IPAddress(address))) == isIn)
        #expect(try AddressRange(AddressRange(range).description) == AddressRange(range))
    }

    @Test(
        "An invalid range is rejected, with a suggestion if host bits are set",
        arguments: [
            ("", "no range"), ("10.0.0/8", "no range"), ("proxy.example.org", "no range"), ("10.0.0.0/33", "0 to 32"),
            ("10.0.0.0/", "0 to 32"),
            ("10.0.0.0/-1", "0 to 32"), ("::/129", "0 to 128"), ("10.0.0.0/8/8", "0 to 32"),
            ("10.1.2.3/8", "Did you mean 10.0.0.0/8?"),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: AddressError.self) { try AddressRange(text) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
}

@Suite("Hosts, origins and cookies behind a proxy with TLS")
struct AddressSettingsTests {
    private func settings(_ url: String, hosts: [String] = []) throws -> AddressSettings {
        AddressSettings(publicURL: try PublicURL(url), allowedHosts: hosts.compactMap(Authority.init))
    }

    @Test(
        "The public and allowed hosts are accepted with their default port, and loopback is rejected",
        arguments: [
            ("zoo.example.org", true), ("ZOO.example.org:443", true), ("zoo.example.org:80", false),
            ("zoo.example.org:8080", false),
            ("127.0.0.1:8080", false), ("localhost:8080", false), ("localhost", false), ("evil.example", false),
            ("", false),
            ("zoo.example.org.", false), ("a.zoo.example.org", false), ("www.example.org", true),
            ("www.example.org:443", true),
            ("old.example.org", false), ("old.example.org:8443", true),
        ])
    func standardPort(authority: String, isOurs: Bool) throws {
        let settings = try settings("https://zoo.example.org", hosts: ["www.example.org", "old.example.org:8443"])
        #expect(AllowedHosts(host: "127.0.0.1", port: 8080, settings: settings).contains(authority) == isOurs)
    }

    @Test(
        "A port other than the default port is required",
        arguments: [
            ("zoo.example.org:8443", true), ("zoo.example.org", false), ("zoo.example.org:443", false),
            ("www.example.org:8443", true),
        ])
    func otherPort(authority: String, isOurs: Bool) throws {
        let settings = try settings("https://zoo.example.org:8443", hosts: ["www.example.org"])
        #expect(AllowedHosts(host: "127.0.0.1", port: 8080, settings: settings).contains(authority) == isOurs)
    }

    @Test(
        "Only https origins are accepted",
        arguments: [
            ("https://zoo.example.org", true), ("https://zoo.example.org:443", true), ("http://zoo.example.org", false),
            ("https://evil.example", false), ("http://127.0.0.1:8080", false), ("https://zoo.example.org/", false),
            ("null", false),
        ])
    func origins(origin: String, isOurs: Bool) throws {
        let hosts = AllowedHosts(host: "127.0.0.1", port: 8080, settings: try settings("https://zoo.example.org"))
        #expect(hosts.contains(origin: origin) == isOurs)
    }

    @Test("The listening address remains known for probes")
    func direct() throws {
        let hosts = AllowedHosts(host: "127.0.0.1", port: 8080, settings: try settings("https://zoo.example.org"))
        #expect(hosts.isDirect("127.0.0.1:8080") && hosts.isDirect("localhost:8080"))
        #expect(!hosts.isDirect("zoo.example.org") && !hosts.isDirect("127.0.0.1:8081") && !hosts.isDirect(""))
    }

    @Test("Without TLS, allowed hosts are accepted on the listening port, in addition to loopback")
    func plain() {
        let settings = AddressSettings(allowedHosts: ["zoo.test", "other.test:9000"].compactMap(Authority.init))
        let hosts = AllowedHosts(host: "127.0.0.1", port: 8080, settings: settings)
        #expect(
            hosts.contains("zoo.test:8080") && hosts.contains("other.test:9000") && hosts.contains("127.0.0.1:8080"))
        #expect(!hosts.contains("zoo.test") && !hosts.contains("other.test:8080"))
        #expect(hosts.contains(origin: "http://zoo.test:8080") && !hosts.contains(origin: "https://zoo.test:8080"))
    }

    @Test("A public URL on loopback is accepted beside the listening address and names the cookies")
    func forwardedPort() throws {
        let settings = try settings("http://localhost:9000")
        let hosts = AllowedHosts(host: "127.0.0.1", port: 8080, settings: settings)
        #expect(hosts.contains("localhost:9000") && hosts.contains("localhost:8080"))
        #expect(CookieNames(port: 8080, settings: settings).session == "session-9000")
        #expect(!CookieNames(port: 8080, settings: settings).areSecure)
    }

    @Test("Behind TLS, cookie names have the __Host- prefix")
    func cookies() throws {
        let names = CookieNames(port: 8080, settings: try settings("https://zoo.example.org"))
        #expect(names.session == "__Host-session" && names.draftPrefix == "__Host-d." && names.areSecure)
    }

    @Test("A draft cookie and its deletion are Secure, for every path and without a domain")
    func draftAttributes() throws {
        let names = CookieNames(port: 8080, settings: try settings("https://zoo.example.org"))
        let cookies = DraftCookies(names: names, keys: try keyRing())
        let kept = try cookies.keep(draft(), beside: BrowserDrafts())
        #expect(kept.name.wholeMatch(of: /__Host-d\.[A-Za-z0-9_-]{10}/) != nil)
        for cookie in [kept, cookies.expire(kept.name)] {
            let header = SetCookie(cookie.description)
            #expect(header.attributes.isSuperset(of: ["Secure", "HttpOnly", "SameSite=Strict", "Path=/"]))
            #expect(!header.attributes.contains { $0.hasPrefix("Domain") })
        }
    }

    @Test("The arguments of a child process contain the same settings")
    func arguments() throws {
        var settings = try settings("https://zoo.example.org:8443", hosts: ["www.example.org", "[::1]:9000"])
        settings.trustedProxies = [try AddressRange("127.0.0.1"), try AddressRange("fd00::/8")]
        #expect(try AddressOptions.parse(settings.arguments).settings == settings)
        #expect(AddressSettings().arguments == [])
    }
}
