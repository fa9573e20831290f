import Testing

@Suite("Whoever watches the process is answered", .server)
struct HealthTests {
    @Test("The process is up", arguments: [("/healthz", "ok\n"), ("/readyz", "ready\n")])
    func up(path: String, text: String) async throws {
        let answer = try await Browser(try .shared).get(path)
        #expect(answer.status == 200)
        #expect(answer.body == text)
        #expect(answer.contentType == "text/plain; charset=utf-8")
        #expect(answer.header("Cache-Control") == ["no-store"])
    }

    @Test("Nothing was logged as an error by a healthy start")
    func quiet() async throws {
        _ = try await Browser(try .shared).get("/admin")
        #expect(try Server.shared.errors() == "")
    }
}
