import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Graceful shutdown")
struct ShutdownTests {
    @Test(
        "A shutdown under load keeps acknowledged rows, and SIGTERM lets all sent requests finish",
        arguments: [SIGTERM, SIGINT])
    func underLoad(signal: Int32) async throws {
        let server = try await Server.start()
        let browser = Browser(server)
        let blank = try await browser.newAnimal("")
        let cookies = try await browser.cookieField
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let opened = ContinuousClock.now, client = try Client(port: server.port)
                group.addTask {
                    await Self.send(number, from: client, opened, blank, cookies, load) { server.program.send(signal) }
                }
            }
            try await group.waitForAll()
        }
        #expect(await server.program.exitCode == 0)
        #expect(load.total.answered >= 60)
        // After SIGINT, the server does not wait for a client that is slow to send.
        if signal == SIGTERM { #expect(load.total.failures == []) }
        let again = try await Server.start(in: server.directory)
        let reader = Browser(again)
        for id in load.total.stored { #expect(try await reader.get("/admin/animals/\(id)").status == 200) }
        await again.kill()
    }

    /// The time that an open connection waits for a request after the server was asked to end.
    private static let linger: Duration = .seconds(1)

    @Test("An idle server shuts down", arguments: [SIGTERM, SIGINT])
    func idle(signal: Int32) async throws {
        let server = try await Server.start()
        server.program.send(signal)
        #expect(await server.program.exitCode == 0)
    }

    @Test("SIGHUP to a single-process server logs a message and changes nothing else")
    func hangUp() async throws {
        let server = try await Server.start()
        server.program.send(SIGHUP)
        try await eventually("the server says so") {
            try server.errors().contains("SIGHUP deploys nothing with --in-process")
        }
        #expect(try await Browser(server).get("/admin/animals").status == 200)
        #expect(await server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: server.data + "/status.json"))
    }

    @Test("A connection that sends nothing does not delay the shutdown")
    func silentConnection() async throws {
        let server = try await Server.start()
        let silent = try Client(port: server.port, sending: "GET /admin HTTP/1.1\r\nHost: ")
        _ = try await Browser(server).get("/healthz")
        #expect(await server.stop() == 0)
        let received = await silent.receive()
        #expect(received.end != .silence && !received.statuses.contains(200))
    }

    /// Sends requests on one connection until the server announces its end. The sixtieth answer triggers that end.
    private static func send(
        _ number: Int, from client: Client, _ opened: ContinuousClock.Instant, _ blank: Form, _ cookies: String,
        _ load: Load, end: @Sendable () -> Void
    ) async {
        let host = "Host: 127.0.0.1:\(client.port)\r\n\(cookies)\r\n"
        var formerAsked = opened
        while true {
            let asked = ContinuousClock.now, id = UUID().uuidString.lowercased()
            let body = blank.with("name", "Drained").with("id", id).with("draft", UUID().uuidString.lowercased())
                .encoded
            await client.send(
                number.isMultiple(of: 2)
                    ? "GET /admin/animals HTTP/1.1\r\n\(host)\r\n"
                    : "POST /admin/animals HTTP/1.1\r\n\(host)Content-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let answer = await client.receiveAnswer()
            guard let status = answer.status else {
                // The server closes a connection without a request once it was silent for the linger time. The
                // silence began after the last answer, whose request was sent before, or when the connection was
                // opened.
                if .now - formerAsked >= linger { return }
                load.add(failure: "no answer: \(answer.end)")
                return
            }
            formerAsked = asked
            if load.add(status, id) == 60 { end() }
            // The server has announced its end, so no server is left to ask.
            if answer.text.contains("\r\nConnection: close\r\n") { return }
        }
    }
}

/// The results of all requests.
private final class Load: Sendable {
    struct Total {
        var answered = 0
        var failures: [String] = []
        var stored: [String] = []
    }

    private let counted = Mutex(Total())

    var total: Total { counted.withLock { $0 } }

    /// Adds a result and returns the number of answers.
    func add(_ status: Int, _ id: String) -> Int {
        counted.withLock { total in
            total.answered += 1
            if status == 303 { total.stored.append(id) }
            if ![200, 303].contains(status) { total.failures.append("\(status)") }
            return total.answered
        }
    }

    func add(failure: String) {
        counted.withLock { $0.failures.append(failure) }
    }
}

@Suite("Services")
struct ServiceNameTests {
    @Test("A service is named by its type without printing its contents")
    func name() {
        let printed = Printed()
        _ = ServiceGroupConfiguration.shutdown(logger: Logger(label: "test"), services: [Talkative(printed: printed)])
        #expect(printed.count.load(ordering: .relaxed) == 0)
    }
}

private final class Printed: Sendable {
    let count = Atomic(0)
}

private struct Talkative: Service, CustomStringConvertible {
    let printed: Printed

    var description: String {
        printed.count.add(1, ordering: .relaxed)
        return "everything"
    }

    func run() async throws {}
}
