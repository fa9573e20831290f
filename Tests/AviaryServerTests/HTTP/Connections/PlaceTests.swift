import Hummingbird
import NIOCore
import Testing

@testable import AviaryServer

@Suite("A process has so many connections and not more, and keeps those that are used")
struct PlaceTests {
    @Test("A new connection takes the place of one that was silent for long; those that were used last stay")
    func idle() async throws {
        try await SmallServer.use(.with { $0.connections = 16 }) { server in
            var clients: [Client] = []
            for _ in 0..<16 { clients.append(try await server.idleClient()) }
            for client in clients.prefix(8) {
                await client.get()
                #expect(await client.receiveAnswer().status == 200)
            }
            let new = try await server.idleClient()
            for client in clients.prefix(8) + [new] {
                await client.get()
                #expect(await client.receiveAnswer().status == 200)
            }
            var isAnyClosed = false
            for client in clients.suffix(8) where await client.receive(patience: 1).end == .closed {
                isAnyClosed = true
            }
            #expect(isAnyClosed)
        }
    }

    @Test(
        "Connections that send nothing, or header fields that never end, do not keep others out",
        arguments: ["", "GET / HTTP/1.1\r\nX: "])
    func silent(start: String) async throws {
        try await SmallServer.use(
            .with {
                $0.connections = 8; $0.head = .seconds(600)
            }
        ) { server in
            let silent = try (0..<40).map { _ in try server.client() }
            for client in silent { await client.send(start) }
            _ = try await server.idleClient()
            withExtendedLifetime(silent) {}
        }
    }

    @Test("A connection with a request under way is not closed to make room: a new one waits for its end")
    func busy() async throws {
        let mayEnd = Event()
        try await SmallServer.use(
            .with {
                $0.connections = 2; $0.leastSilence = .zero
            }
        ) { request in
            if request.uri.path == "/wait" { _ = await mayEnd.happens() }
            return .text("here\n")
        } _: { server in
            let busy = [try server.client(), try server.client()]
            for client in busy { await client.get("/wait") }
            let new = try server.client()
            await new.get()
            #expect(await new.receive(patience: 1).end == .silence)
            mayEnd.happen()
            for client in busy { #expect(await client.receiveAnswer().status == 200) }
            #expect(await new.receiveAnswer().status == 200)
        }
    }

    @Test("A full process that is told to end does, while somebody waits for a place", arguments: 0..<5)
    func ending(attempt: Int) async throws {
        let mayEnd = Event()
        try await SmallServer.use(.with { $0.connections = 1 }, linger: .milliseconds(20)) { _ in
            _ = await mayEnd.happens()
            return .text("here\n")
        } _: { server in
            let (busy, waiting) = (try server.client(), try server.client())
            await busy.get()
            // Somewhere in the time in which the acceptor waits for a place, and another time with each attempt.
            try await Task.sleep(for: .milliseconds(60 + 13 * attempt))
            await server.drain()
            try await Task.sleep(for: .milliseconds(60))
            mayEnd.happen()
            #expect(await busy.receive().statuses == [200])
            #expect(await server.end.happens())
            withExtendedLifetime(waiting) {}
        }
    }

    @Test("Connections leave descriptors for the rest of the process")
    func descriptors() {
        #expect(ConnectionLimits.connections(descriptors: 64) == 24)
        #expect(ConnectionLimits.connections(descriptors: 1024) == 896)
        #expect(ConnectionLimits.connections(descriptors: 1 << 20) == 4096)
        #expect(ConnectionLimits.connections(descriptors: 20) == 8)
        #expect(ConnectionLimits.descriptorLimit > 0)
    }
}
