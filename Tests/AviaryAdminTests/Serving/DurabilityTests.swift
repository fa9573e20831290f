import Foundation
import Synchronization
import Testing

@Suite("Durability of acknowledged changes")
struct DurabilityTests {
    @Test("After SIGKILL under load, every acknowledged row is stored exactly once")
    func killed() async throws {
        let server = try await Server.start()
        let browser = Browser(server)
        let blank = try await browser.newAnimal("")
        let acknowledged = Acknowledgements()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask { await Self.write(as: writer, blank, browser, until: acknowledged, server) }
            }
        }
        #expect(await server.program.exitCode == 128 + SIGKILL)
        let rows = acknowledged.names
        #expect(rows.count >= 40)
        let again = try await Server.start(in: server.directory)
        let reader = Browser(again)
        for (id, name) in rows {
            let page = try await reader.get("/admin/animals/\(id)")
            #expect(page.status == 200 && page.body.contains(#"value="\#(name)""#))
        }
        let list = try await reader.get("/admin/animals?size=200")
        #expect(rows.values.allSatisfy { list.rows(named: $0) == 1 })
        #expect(await again.stop() == 0)
    }

    @Test("A form that is sent again after a restart is stored once")
    func repeated() async throws {
        let server = try await Server.start()
        let browser = Browser(server)
        let form = try await browser.newAnimal("Sent again")
        #expect(try await browser.post("/admin/animals", form).status == 303)
        await server.kill()
        let again = try await Server.start(in: server.directory)
        let other = Browser(again)
        let repeated = form.with("csrf", try await other.token())
        #expect(try await other.post("/admin/animals", repeated).status == 303)
        #expect(try await other.rows(named: "Sent again") == 1)
        await again.kill()
    }

    /// Adds rows until the server is killed, which happens at the fortieth acknowledgement.
    private static func write(
        as writer: Int, _ blank: Form, _ browser: Browser, until acknowledged: Acknowledgements, _ server: Server
    ) async {
        for index in 0... {
            let (name, id) = ("Row \(writer)-\(index)", UUID().uuidString.lowercased())
            let form = blank.with("name", name).with("id", id).with("draft", UUID().uuidString.lowercased())
            // The server was killed.
            guard let answer = try? await browser.post("/admin/animals", form), answer.status == 303 else { return }
            if acknowledged.add(id, name) == 40 { server.program.send(SIGKILL) }
        }
    }
}

/// The rows that the server has acknowledged, by id.
private final class Acknowledgements: Sendable {
    private let rows = Mutex<[String: String]>([:])

    var names: [String: String] { rows.withLock { $0 } }

    /// Adds a row and returns the number of rows.
    func add(_ id: String, _ name: String) -> Int {
        rows.withLock { rows in
            rows[id] = name
            return rows.count
        }
    }
}
