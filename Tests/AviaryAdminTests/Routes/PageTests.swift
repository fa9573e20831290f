import Testing

@Suite("Pages and security headers", .server)
struct PageTests {
    private static let unknown = "01928374-0000-7000-8000-000000000000"

    private static let existing = [
        "/admin", "/admin/animals", "/admin/animal-categories", "/admin/friends", "/admin/animals/new",
        "/admin/animal-categories/new", "/admin/friends/new", "/admin/animals?sort=-name",
        "/admin/animals?sort=diet&size=10",
        "/admin/animals/delete", "/admin/animals/delete?id=\(unknown)", "/healthz", "/readyz",
    ]
    private static let missing = [
        "/nothing", "/admin/unicorns", "/admin/unicorns/new", "/admin/Animals", "/admin/animals/x",
        "/admin/animals/\(unknown)", "/admin/animals/01928374-0000-7000-8000-00000000000A",
        "/admin/animals/\(unknown)/x",
        "/admin/animals?sort=wings", "/admin/animals?sort=category", "/admin/animals/new?sort=wings",
        "/assets/x/nothing.css", "/.git/config",
    ]

    @Test("An existing page answers 200 with security headers", arguments: existing)
    func pages(path: String) async throws {
        let answer = try await Browser(try .shared).get(path)
        #expect(answer.status == 200)
        expectProtection(answer)
    }

    @Test("The root of the site redirects to the admin")
    func root() async throws {
        let answer = try await Browser(try .shared).get("/")
        #expect(answer.status == 303)
        #expect(answer.location == "/admin")
        expectProtection(answer)
    }

    @Test("An unknown path answers 404 with a link to the admin and without internal details", arguments: missing)
    func nothing(path: String) async throws {
        let answer = try await Browser(try .shared).get(path)
        #expect(answer.status == 404)
        #expect(answer.contentType == "text/html; charset=utf-8")
        #expect(answer.body.contains(#"<a class="button primary" href="/admin"#))
        #expect(!answer.body.contains("Swift") && !answer.body.contains("SQL") && !answer.body.contains("Error("))
        expectProtection(answer)
    }

    @Test("A page that explains an error keeps the totals and the button to sign out")
    func navigationOfErrors() async throws {
        let answer = try await Browser(try .shared).get("/admin/animals/\(Self.unknown)")
        #expect(answer.status == 404)
        #expect(answer.source.contains(#"action="/logout""#) && answer.source.contains("data-count="))
    }

    @Test(
        "A path that cannot be decoded gets a client error",
        arguments: ["/admin/%ZZ", "/admin/animals/%FF", "/admin/%00"])
    func brokenPath(path: String) async throws {
        let answer = try await RawConnection.send(
            [
                "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(try Server.shared.port)",
                try await Browser(.shared).cookieField, "Connection: close",
            ], to: try Server.shared.port
        )
        #expect(answer.hasPrefix("HTTP/1.1 40"))
    }

    @Test(
        "HEAD answers like GET without a body",
        arguments: ["/admin", "/admin/animals", "/admin/animals/new", "/healthz", "/nothing", "/"])
    func head(path: String) async throws {
        let (get, head) = (try await Browser(try .shared).get(path), try await Browser(try .shared).send("HEAD", path))
        #expect(head.status == get.status)
        #expect(head.body == "")
        #expect(head.contentType == get.contentType)
        expectProtection(head)
    }

    @Test(
        "A method that a path does not support answers 405 with the supported methods",
        arguments: [
            ("/admin/animals", "GET, HEAD, POST"), ("/admin", "GET, HEAD"), ("/admin/animals/draft", "POST"),
            ("/healthz", "GET, HEAD"),
        ])
    func methods(path: String, allowed: String) async throws {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] where !allowed.contains(method) {
            let answer = try await Browser(try .shared).send(method, path)
            #expect(answer.status == 405, "\(method)")
            #expect(answer.header("Allow") == [allowed], "\(method)")
            expectProtection(answer)
        }
    }

    @Test("A method of another protocol answers 501, and an unknown path answers 404 for every method")
    func unknownMethod() async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.send("PROPFIND", "/admin/animals")
        #expect(answer.status == 501)
        expectProtection(answer)
        for method in ["GET", "POST", "PUT", "OPTIONS"] {
            #expect(try await browser.send(method, "/nothing").status == 404, "\(method)")
        }
    }

    @Test("OPTIONS * answers with the methods of the server")
    func options() async throws {
        let port = try Server.shared.port
        let answer = try await RawConnection.send(
            ["OPTIONS * HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"], to: port)
        #expect(answer.hasPrefix("HTTP/1.1 204"), "\(answer)")
        #expect(answer.contains("Allow: GET, HEAD, POST\r\n"))
    }

    @Test("A request that is rejected before it reaches a route gets the security headers")
    func protectionOfRefusals() async throws {
        let answer = try await RawConnection.send(["GET / HTTP/1.1", "Host : bad"], to: try Server.shared.port)
        #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
        let page = try await Browser(try .shared).get("/login")
        for name in ["Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "X-Frame-Options"] {
            let value = try #require(page.header(name).first)
            #expect(answer.contains("\r\n\(name): \(value)\r\n"))
        }
    }

    @Test("A page is not cached")
    func notKept() async throws {
        #expect(try await Browser(try .shared).get("/admin/animals").header("Cache-Control") == ["no-store"])
    }

    @Test("The session cookie is HttpOnly and is set once")
    func session() async throws {
        let browser = Browser(strangerAt: try .shared)
        let cookie = try #require(try await browser.get("/login").setCookies.first)
        #expect(cookie.name == "session-\(try Server.shared.port)")
        #expect(cookie.attributes.isSuperset(of: ["HttpOnly", "SameSite=Lax", "Path=/"]))
        #expect(try await browser.get("/login").setCookies.isEmpty)
    }

    private func expectProtection(_ answer: Answer) {
        let policy = answer.header("Content-Security-Policy").first ?? ""
        for directive in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
            #expect(policy.contains(directive))
        }
        #expect(!policy.contains("unsafe"))
        #expect(answer.header("X-Content-Type-Options") == ["nosniff"])
        #expect(answer.header("Referrer-Policy") == ["same-origin"])
        #expect(answer.header("Cross-Origin-Opener-Policy") == ["same-origin"])
        #expect(answer.header("X-Frame-Options") == ["DENY"])
        #expect(answer.header("Cache-Control").count == 1)
    }
}
