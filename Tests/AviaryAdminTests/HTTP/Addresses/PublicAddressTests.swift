import Testing

@Suite(
    "Serving behind a proxy with TLS",
    .server("--public-url", "https://zoo.example.org", "--allowed-host", "www.example.org"))
struct PublicAddressTests {
    private static let ours = ["Host": "zoo.example.org"]

    @Test(
        "Pages are served under the public name and the allowed names",
        arguments: ["zoo.example.org", "zoo.example.org:443", "www.example.org"])
    func names(host: String) async throws {
        let answer = try await Browser(try .shared).get("/admin", headers: ["Host": host])
        #expect(answer.status == 200)
        #expect(answer.header("Strict-Transport-Security") == ["max-age=31536000"])
    }

    @Test(
        "A request under another host name answers 400 and sets no cookie",
        arguments: ["127.0.0.1:PORT", "localhost:PORT", "evil.example"])
    func refused(host: String) async throws {
        let port = try Server.shared.port
        let answer = try await Browser(try .shared).get(
            "/admin", headers: ["Host": host.replacing("PORT", with: "\(port)")])
        #expect(answer.status == 400)
        #expect(answer.body.contains("Unknown host"))
        #expect(answer.setCookies.isEmpty)
    }

    @Test(
        "Probes answer direct requests without a cookie, and reject a foreign host", arguments: ["/healthz", "/readyz"])
    func probes(path: String) async throws {
        let browser = Browser(try .shared)
        let direct = try await browser.get(path)
        #expect(direct.status == 200 && direct.setCookies.isEmpty)
        #expect(try await browser.get(path, headers: ["Host": "evil.example"]).status == 400)
    }

    @Test("Every cookie has the __Host- prefix and is Secure")
    func cookies() async throws {
        let welcome = try await Browser(strangerAt: try .shared).get("/login", headers: Self.ours)
        let browser = Browser(try .shared)
        let sheet = try await browser.get("/admin/animals/new?fresh=1", headers: Self.ours)
        let form = try Form(sheetOf: sheet).with("name", "Okapi")
        let kept = try await browser.post("/admin/animals/draft", form, headers: Self.ours)
        #expect(kept.status == 303)
        let cookies = welcome.setCookies + kept.setCookies
        #expect(cookies.map { $0.name.prefix(8) } == ["__Host-s", "__Host-d"])
        for cookie in cookies {
            #expect(cookie.attributes.isSuperset(of: ["Secure", "HttpOnly", "Path=/"]))
            #expect(!cookie.attributes.contains { $0.hasPrefix("Domain") })
        }
        #expect(try await browser.get("/admin/animals", headers: Self.ours).body.contains("Okapi"))
    }

    @Test(
        "A form is accepted only from an https origin of this site",
        arguments: [
            ("https://zoo.example.org", 303), ("https://www.example.org", 303), ("http://zoo.example.org", 403),
            ("https://evil.example", 403), ("http://127.0.0.1:PORT", 403), ("null", 403),
        ])
    func origin(origin: String, status: Int) async throws {
        let browser = Browser(try .shared)
        let form = try Form(sheetOf: try await browser.get("/admin/animals/new?fresh=1", headers: Self.ours))
            .with("name", "Kakapo").with("diet", "herbivorous")
        let origin = origin.replacing("PORT", with: "\(try Server.shared.port)")
        let answer = try await browser.post(
            "/admin/animals", form, headers: ["Host": "zoo.example.org", "Origin": origin])
        #expect(answer.status == status)
    }

    @Test(
        "Forwarding header fields do not change the host or the scheme",
        arguments: [
            ["X-Forwarded-Host": "zoo.example.org"], ["Forwarded": "host=zoo.example.org;proto=https"],
            ["X-Forwarded-Proto": "https"],
        ])
    func forwarded(headers: [String: String]) async throws {
        #expect(try await Browser(try .shared).get("/admin", headers: headers).status == 400)
    }

    @Test("Without a public URL, the server sets no Secure cookie and no HSTS header field")
    func plain() async throws {
        let server = try await Server.start()
        let answer = try await Browser(strangerAt: server).get("/login", headers: ["X-Forwarded-Proto": "https"])
        #expect(answer.header("Strict-Transport-Security") == [])
        #expect(answer.setCookies.map(\.name) == ["session-\(server.port)"])
        #expect(answer.setCookies.allSatisfy { !$0.attributes.contains("Secure") })
        await server.kill()
    }
}

@Suite("Invalid addresses in settings")
struct AddressUsageTests {
    @Test(
        "An invalid address in a flag is wrong usage and is reported with the flag's name",
        arguments: [
            ["--public-url", "https://zoo.example.org/admin", "a path"],
            ["--public-url", "http://zoo.example.org", "use https"],
            ["--public-url", "https://ada@zoo.example.org", "user information"],
            ["--allowed-host", "https://zoo.example.org", "without a scheme"],
            ["--allowed-host", "", "not a host name"], ["--trusted-proxy", "10.1.2.3/8", "10.0.0.0/8"],
        ])
    func flag(words: [String]) async throws {
        let run = try await Program.run(["serve", "--data", "/dev/null/data", words[0], words[1]])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains(words[0] + ": ") && run.errors.contains(words[2]), "\(run.errors)")
    }

    @Test(
        "An invalid address in the environment is wrong usage and is reported with the variable's name",
        arguments: [
            ["AVIARY_PUBLIC_URL", "zoo.example.org", "no URL"], ["AVIARY_ALLOWED_HOST", "zoo.example.org, *", "\"*\""],
            ["AVIARY_TRUSTED_PROXY", "127.0.0.1,proxy", "\"proxy\""],
        ])
    func environment(words: [String]) async throws {
        let run = try await Program.run(["serve", "--data", "/dev/null/data"], environment: [words[0]: words[1]])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains(words[0] + ": ") && run.errors.contains(words[2]), "\(run.errors)")
    }
}
