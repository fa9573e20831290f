import Foundation
import Testing

@Suite("Request logging")
struct RequestLogTests {
    private func withServer(_ flags: [String], _ body: (Server) async throws -> Void) async throws {
        let server = try await Server.start(flags: flags)
        do {
            try await body(server)
        } catch {
            await server.kill()
            throw error
        }
        await server.kill()
    }

    private func events(_ server: Server) throws -> [[String: Any]] {
        try server.errors().split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    @Test("The default log is empty when nothing fails")
    func silent() async throws {
        try await withServer([]) { server in
            _ = try await Browser(server).get("/admin/animals")
            _ = try await Browser(server).get("/nothing")
            await server.stop()
            #expect(try server.errors() == "")
        }
    }

    @Test("Every answer has its own request identifier, whatever the client sends")
    func named() async throws {
        try await withServer([]) { server in
            var ids: Set<String> = []
            for path in ["/admin", "/admin/animals", "/nothing", "/healthz", "/admin/animals/new", "/assets/x/y"] {
                let answer = try await Browser(server).get(path, headers: ["X-Request-Id": "mine"])
                let id = try #require(answer.header("X-Request-Id").first)
                #expect(answer.header("X-Request-Id").count == 1 && id != "mine" && id.count >= 16)
                ids.insert(id)
            }
            #expect(ids.count == 6)
        }
    }

    @Test("The access log has one line per request, with its route and without any input")
    func access() async throws {
        try await withServer(["--access-log", "--log-format", "json"]) { server in
            let browser = Browser(server)
            let found = try await browser.get(
                "/admin/animals?q=marker-1", headers: ["Referer": "http://x/marker-1", "User-Agent": "marker-1"])
            _ = try await browser.get("/marker-1", headers: ["X-Request-Id": "marker-1"])
            try await browser.addAnimal("marker-1")
            // A line is written after its response was sent.
            await server.stop()
            let log = try server.errors()
            #expect(!log.contains("marker-1"))
            let lines = try events(server).filter { $0["msg"] as? String == "request" }.compactMap {
                $0["metadata"] as? [String: Any]
            }
            let line = try #require(lines.first)
            #expect(line["method"] as? String == "GET" && line["route"] as? String == "/admin/{model}")
            #expect(line["status"] as? Int == 200 && line["bytes"] as? Int == found.source.utf8.count)
            #expect((line["ms"] as? Double).map { $0 > 0 && $0 < 60_000 } == true)
            #expect(line["request"] as? String == found.header("X-Request-Id").first)
            #expect(
                lines.map { $0["route"] as? String ?? "" } == [
                    "/admin/{model}", "none", "/admin/{model}/new", "/admin/{model}",
                ])
            #expect(lines.last?["method"] as? String == "POST" && lines.last?["status"] as? Int == 303)
        }
    }

    @Test("An undo has a line with its request, its user and its numbers")
    func undone() async throws {
        try await withServer(["--log-format", "json"]) { server in
            let browser = Browser(server)
            let id = try await browser.addAnimal("Okapi")
            let page = try await browser.get("/admin/activity?model=animals&record=\(id)")
            let commit = try #require(page.body.firstMatch(of: /action="\/admin\/undo\/(\d+)"/)).1
            let answer = try await browser.post(
                "/admin/undo/\(commit)", Form(["csrf": try await browser.token()]))
            #expect(answer.status == 303)
            await server.stop()
            let line = try #require(
                try events(server).first { $0["msg"] as? String == "a commit was undone" }?["metadata"]
                    as? [String: Any])
            #expect(line["request"] as? String == answer.header("X-Request-Id").first)
            #expect(line["undone"].map { "\($0)" } == String(commit) && line["changes"].map { "\($0)" } == "1")
            #expect(line["account"] != nil && line["milliseconds"] != nil)
        }
    }

    @Test("With --log-events, each event of the audit log is also logged")
    func events() async throws {
        try await withServer(["--log-events", "--log-format", "json"]) { server in
            let browser = Browser(server, as: "exporter")
            for _ in 0..<2 { #expect(try await browser.get("/admin/animals/export").status == 200) }
            await server.stop()
            let lines = try events(server)
            func reported(_ message: String) -> [[String: Any]] {
                lines.filter { $0["msg"] as? String == message }.compactMap { $0["metadata"] as? [String: Any] }
            }
            let first = try #require(reported("event").first { $0["kind"] as? String == "export" })
            #expect(first["account"] as? String == "exporter" && first["subject"] as? String == "Animal")
            let again = try #require(reported("event again").first)
            #expect(again["event"] as? String == first["event"] as? String)
        }
    }

    @Test("No input is logged, even at level trace and for failing requests")
    func redacted() async throws {
        try await withServer(["--access-log", "--log-format", "json", "--log-level", "trace"]) { server in
            let browser = Browser(server)
            let marker = "marker-5b0d"
            let id = try await browser.addAnimal(marker)
            try await browser.addCategoryForTest(marker)
            // The requests cover duplicates, conflicts, dangling references, invalid values, and forged and
            // malformed forms.
            _ = try await browser.post("/admin/animal-categories", try await browser.newCategory(marker))
            var stale = try await browser.sheet(of: "animals", id).with("name", marker + "2").with(
                "diet", "herbivorous")
            #expect(try await browser.post("/admin/animals/\(id)", stale).status == 303)
            stale["name"] = marker + "3"
            #expect(try await browser.post("/admin/animals/\(id)", stale).status == 409)
            for (field, value) in [
                ("diet", marker), ("category", marker), ("name", ""), ("version", marker), ("id", marker),
                ("draft", marker), (marker, marker), ("csrf", marker),
            ] {
                _ = try await browser.post("/admin/animals", try await browser.newAnimal(marker).with(field, value))
                _ = try await browser.post(
                    "/admin/animals/\(id)",
                    try await browser.sheet(of: "animals", id).with("name", marker).with(field, value))
                _ = try await browser.keep(try await browser.newAnimal(marker).with(field, value))
                _ = try await browser.post(
                    "/admin/animals/draft/discard", try await browser.newAnimal(marker).with(field, value))
            }
            _ = try await browser.post(
                "/admin/animals", try await browser.newAnimal(String(repeating: marker, count: 300_000)))
            _ = try await browser.keep(try await browser.newAnimal(String(repeating: marker, count: 2000)))
            _ = try await browser.delete("animals", [marker])
            _ = try await browser.delete("animals", [id], changeSet: marker)
            for path in [
                "/admin/animals?q=%22\(marker)", "/admin/animals?sort=\(marker)", "/admin/animals?after=\(marker)",
                "/admin/animals?size=\(marker)", "/admin/\(marker)", "/admin/animals/\(marker)",
                "/admin/animals/delete?id=\(marker)", "/admin/animals?%ZZ=\(marker)", "/\(marker)",
                "/assets/\(marker)/\(marker)",
            ] {
                _ = try await browser.get(
                    path,
                    headers: [
                        "Cookie": "session-\(server.port)=\(marker); d-\(server.port).\(marker)=\(marker)",
                        "X-\(marker)": marker, "Authorization": "Bearer \(marker)",
                    ])
            }
            let post = ["Content-Type": "text/\(marker)"]
            _ = try await browser.post("/admin/animals", body: "name=\(marker)", headers: post)
            _ = try await browser.post(
                "/admin/animals", body: "name=%ZZ\(marker)",
                headers: ["Content-Type": "application/x-www-form-urlencoded"])
            for request in [
                ["GET /\(marker) HTTP/9.9"], ["\(marker)"], ["GET / HTTP/1.1", "Host: \(marker)"],
                ["GET / HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "\(marker) : x"],
                ["POST /admin/animals HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Content-Length: \(marker)"],
            ] {
                _ = try await RawConnection.send(request + ["Connection: close"], to: server.port)
            }
            await server.stop()
            let log = try server.errors()
            #expect(!log.contains(marker), "\(log.split(separator: "\n").filter { $0.contains(marker) })")
            #expect(try events(server).count > 60)
        }
    }

    @Test("Values from a damaged store are not logged")
    func damaged() async throws {
        try await withServer(["--log-format", "json", "--log-level", "trace"]) { server in
            let browser = Browser(server)
            let marker = "marker-e2c9"
            let id = try await browser.addAnimal(marker)
            let form = try await browser.sheet(of: "animals", id).with("name", marker + "2").with("diet", "herbivorous")
            let new = try await browser.newAnimal(marker)
            // A failing disk is simulated: the pages of the file and of the log are overwritten.
            for name in ["store.sqlite", "store.sqlite-wal"] {
                let file = try FileHandle(forUpdating: URL(filePath: server.data + "/" + name))
                let size = try file.seekToEnd()
                try file.seek(toOffset: 0)
                try file.write(contentsOf: Data(repeating: 0x5A, count: Int(size)))
                try file.close()
            }
            for path in ["/admin", "/admin/animals", "/admin/animals?q=\(marker)", "/admin/animals/\(id)"] {
                _ = try? await browser.get(path)  // the damage may end the process
            }
            _ = try? await browser.post("/admin/animals/\(id)", form)
            _ = try? await browser.post("/admin/animals", new)
            #expect(try !server.errors().contains(marker))
        }
    }
}

extension Browser {
    fileprivate func addCategoryForTest(_ name: String) async throws {
        _ = try await post("/admin/animal-categories", try await newCategory(name))
    }
}
