import Foundation
import Synchronization
import Testing

extension ServerProcesses {
    @Suite("Draining processes")
    struct DrainTests {
        @Test("A worker that gets SIGTERM under load fails no request and is replaced")
        func worker() async throws {
            try await Server.use { server in
                let family = try await server.complete()
                let load = try await Load(reading: Browser(server))
                await load.run(clients: 8, on: server) { answered in
                    // The workers end one after the other, so that one is always serving.
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

        @Test("A server that gets SIGTERM under load answers every sent request and exits with 0")
        func supervisor() async throws {
            try await Server.use { server in
                let load = try await Load(reading: Browser(server)), isEnding = Flag()
                await load.run(clients: 8, on: server, untilClosed: true) { answered in
                    // A connection that nobody has accepted yet is not answered.
                    let isAnswered = load.answeredClients == 8 || answered >= 10_000
                    if answered >= 100, isAnswered, isEnding.raise() { server.program.send(SIGTERM) }
                    return true
                }
                #expect(load.answeredClients == 8)
                #expect(await server.program.exitCode == 0)
                #expect(load.answered >= 100)
                #expect(load.failures == [])
                #expect(server.processes.isEmpty)
            }
        }
    }
}
