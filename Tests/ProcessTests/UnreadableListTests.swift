import Foundation
import Testing

extension ServedApplications {
    @Suite("Unreadable lists")
    struct UnreadableListTests {
        @Test("A list that cannot be read answers 503, and the log names its request")
        func unavailable() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(
                    in: directory, flags: ["--log-format", "json"])
                let browser = Browser(server)
                #expect(try await browser.get("/admin/friends").status == 200)
                try StoreFile(directory).create("ALTER TABLE \"Friend\" RENAME TO \"Gone\"")
                let answer = try await browser.get("/admin/friends")
                #expect(answer.status == 503)
                #expect(answer.header("Retry-After") == ["2"])
                #expect(answer.body.contains("Couldn’t load the friends."))
                let request = try #require(answer.header("X-Request-Id").first)
                await server.stop()
                let lines = try server.errors().split(separator: "\n")
                for message in ["a read failed", "a list could not be read"] {
                    let line = lines.first { $0.contains("\"msg\":\"\(message)\"") }
                    #expect(line?.contains("\"request\":\"\(request)\"") == true, "\(message): \(line ?? "no line")")
                }
            }
        }
    }
}
