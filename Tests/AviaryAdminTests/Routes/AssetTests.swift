import Testing

@Suite("Assets in memory", .server)
struct AssetTests {
    @Test("Every asset that a page links has its content type and is cached forever")
    func linked() async throws {
        let browser = Browser(try .shared)
        let page = try await browser.get("/admin")
        let paths = page.source.matches(of: /(?:href|src)="(\/assets\/[^"]+)"/).map { String($0.1) }
        #expect(paths.count == 3)
        for path in paths {
            let answer = try await browser.get(path)
            #expect(answer.status == 200)
            #expect(answer.contentType == type(of: path))
            #expect(answer.header("Cache-Control") == ["public, max-age=31536000, immutable"])
            #expect(!answer.source.isEmpty)
        }
    }

    @Test("Every module that a script imports is served under the same version")
    func modules() async throws {
        let browser = Browser(try .shared)
        let page = try await browser.get("/admin")
        let script = try #require(page.source.firstMatch(of: /src="(\/assets\/[^"]+\/)aviary\.js"/))
        var (found, pending) = (Set<String>(), ["aviary.js"])
        while let name = pending.popLast() {
            guard found.insert(name).inserted else { continue }
            let answer = try await browser.get(script.1 + name)
            #expect(answer.status == 200, "\(name)")
            pending += answer.source.matches(of: /from "\.\/([^"]+)"/).map { String($0.1) }
        }
        #expect(found.count > 3)
    }

    @Test(
        "Assets are served without comments, indentation and empty lines",
        arguments: ["aviary.css", "swipe.js", "drafts.js"])
    func lean(name: String) async throws {
        let body = try await Browser(try .shared).get("/assets/x/" + name).source
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count > 30)
        #expect(
            lines.filter {
                $0.isEmpty || $0.hasPrefix(" ") || $0.hasPrefix("//") || $0.hasPrefix("/*") || $0.hasPrefix("* ")
            } == [])
        #expect(body.count(where: { $0 == "{" }) == body.count(where: { $0 == "}" }))
    }

    @Test("An asset under a former version is not cached")
    func formerVersion() async throws {
        let answer = try await Browser(try .shared).get("/assets/former/aviary.css")
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == ["no-store"])
    }

    @Test(
        "Other paths below the assets answer 404",
        arguments: [
            "/assets/x/unknown.js", "/assets/x/", "/assets/x", "/assets", "/assets/x/..%2F..%2Fetc%2Fpasswd",
            "/assets/../etc/passwd", "/assets/x/css/aviary.css",
        ])
    func nothingElse(path: String) async throws {
        let port = try Server.shared.port
        let answer = try await RawConnection.send(
            ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"], to: port)
        #expect(answer.hasPrefix("HTTP/1.1 404"))
    }

    private func type(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        default: "image/svg+xml"
        }
    }
}
