import Foundation
import Synchronization
import Testing

extension ServerProcesses {
    @Suite("Ending a process in good order fails no request")
    struct DrainTests {
        @Test("A worker is told to end under load: every request is answered with 200, and another worker takes its place")
        func worker() async throws {
            try await Server.use { server in
                let family = try await server.complete()
                let load = Load()
                await load.run(clients: 8, on: server) { answered in
                    // One after the other, so that somebody is always there.
                    if answered == 100 { family.workers[0].send(SIGTERM) }
                    return answered < 100 || (server.family.map { $0.restarts == 0 || !$0.isComplete } ?? true)
                }
                let middle = try await server.complete(restarts: 1)
                let (before, old) = (load.answered, middle.workers[1])
                await load.run(clients: 8, on: server) { answered in
                    if answered == before + 100 { old.send(SIGTERM) }
                    return answered < before + 100 || (server.family.map { $0.restarts == 1 || !$0.isComplete } ?? true)
                }
                #expect(load.failures == [])
                #expect(try await server.complete(restarts: 2).store == family.store)
            }
        }

        @Test("The server is told to end under load: every request that was sent is answered, and the exit code is 0")
        func supervisor() async throws {
            try await Server.use { server in
                let load = Load()
                await load.run(clients: 8, on: server, untilClosed: true) { answered in
                    if answered == 100 { server.program.send(SIGTERM) }
                    return true
                }
                #expect(await server.program.exitCode == 0)
                #expect(load.answered >= 100)
                #expect(load.failures == [])
                #expect(server.processes.isEmpty)
            }
        }
    }
}

/// Clients that read pages, each over connections of its own.
private final class Load: Sendable {
    private struct Total {
        var answered = 0
        var failures: [String] = []
    }

    private let total = Mutex(Total())

    var answered: Int { total.withLock(\.answered) }
    var failures: [String] { total.withLock(\.failures) }

    /// - Parameters:
    ///   - isLast: whether a client that was told `Connection: close` has nobody to ask any more.
    ///   - goesOn: called with the number of answers after each; false ends the load.
    func run(clients: Int, on server: Server, untilClosed isLast: Bool = false, while goesOn: @escaping @Sendable (Int) -> Bool) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<clients {
                group.addTask { await onThread { self.read(server.port, isLast, while: goesOn) } }
            }
        }
    }

    private func read(_ port: Int, _ isLast: Bool, while goesOn: (Int) -> Bool) {
        var connection: KeptConnection?
        while true {
            // Refused: the server has ended, and nothing was sent.
            guard let current = connection ?? KeptConnection(port: port) else { return }
            connection = current
            switch current.get("/admin/animals") {
            case .answered(let status, let closes):
                let answered = total.withLock { total in
                    total.answered += 1
                    if status != 200 { total.failures.append("\(status)") }
                    return total.answered
                }
                if closes { connection = nil }
                if !goesOn(answered) || closes && isLast { return }
            case .failed(let reason):
                total.withLock { $0.failures.append(reason) }
                return
            }
        }
    }
}
