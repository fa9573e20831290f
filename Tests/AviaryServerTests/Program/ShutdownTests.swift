import Foundation
import Synchronization
import Testing

@Suite("The server ends without failing a request")
struct ShutdownTests {
    @Test(
        "Ended under load, its exit code is 0 and what it acknowledged is stored; with SIGTERM every request that was sent is answered",
        arguments: [SIGTERM, SIGINT])
    func underLoad(signal: Int32) async throws {
        let server = try await Server.start()
        let browser = Browser(server)
        let blank = try await browser.newAnimal("")
        let load = Load()
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask { await Self.send(as: client, blank, browser, load) { server.program.send(signal) } }
            }
        }
        #expect(await server.program.exitCode == 0)
        #expect(load.total.answered >= 60)
        // SIGINT does not wait until a client that is slow to send has sent.
        if signal == SIGTERM { #expect(load.total.failures == []) }
        let again = try await Server.start(in: server.directory)
        for id in load.total.stored { #expect(try await Browser(again).get("/admin/animals/\(id)").status == 200) }
        await again.kill()
    }

    /// How long an open connection waits for a request after the server was told to end.
    private static let linger: Duration = .seconds(1)

    @Test("An idle server ends as well", arguments: [SIGTERM, SIGINT])
    func idle(signal: Int32) async throws {
        let server = try await Server.start()
        server.program.send(signal)
        #expect(await server.program.exitCode == 0)
    }

    @Test("SIGHUP deploys nothing where all is one process: it goes on, and says so")
    func hangUp() async throws {
        let server = try await Server.start()
        server.program.send(SIGHUP)
        while try !server.errors().contains("SIGHUP deploys nothing with --in-process") {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await Browser(server).get("/admin/animals").status == 200)
        #expect(await server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: server.data + "/status.json"))
    }

    @Test("A connection that sends nothing does not hold it up")
    func silentConnection() async throws {
        let server = try await Server.start()
        async let silent = RawConnection.send(Array("GET /admin HTTP/1.1\r\nHost: ".utf8), to: server.port)
        _ = try await Browser(server).get("/healthz")
        #expect(await server.stop() == 0)
        #expect(try await !silent.hasPrefix("HTTP/1.1 200"))
    }

    /// Reads and adds in turns until the server says that it ends; after the sixtieth answer it is told to.
    private static func send(
        as client: Int, _ blank: Form, _ browser: Browser, _ load: Load, end: @Sendable () -> Void
    ) async {
        var answered = ContinuousClock.now
        while true {
            let id = UUID().uuidString.lowercased()
            let form = blank.with("name", "Drained").with("id", id).with("draft", UUID().uuidString.lowercased())
            do {
                let answer =
                    try await client.isMultiple(of: 2)
                    ? browser.get("/admin/animals") : browser.post("/admin/animals", form)
                answered = .now
                if load.add(answer, id) == 60 { end() }
                // The server has said that it ends: there is nobody to ask any more.
                if answer.header("Connection").contains("close") { return }
            } catch {
                // Who says nothing for as long as connections linger, as on a crowded machine, finds them closed.
                if .now - answered < linger { load.add(failure: "\(error)") }
                return
            }
        }
    }
}

/// What became of all requests.
private final class Load: Sendable {
    struct Total {
        var answered = 0
        var failures: [String] = []
        var stored: [String] = []
    }

    private let counted = Mutex(Total())

    var total: Total { counted.withLock { $0 } }

    /// How many have been answered now.
    func add(_ answer: Answer, _ id: String) -> Int {
        counted.withLock { total in
            total.answered += 1
            if answer.status == 303 { total.stored.append(id) }
            if ![200, 303].contains(answer.status) { total.failures.append("\(answer.status)") }
            return total.answered
        }
    }

    func add(failure: String) {
        counted.withLock { $0.failures.append(failure) }
    }
}
