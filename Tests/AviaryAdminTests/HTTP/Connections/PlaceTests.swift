import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("A process has so many connections and not more, and keeps those that are used")
struct PlaceTests {
    @Test("A new connection takes the place of one that was silent for long; those that were used last stay")
    func idle() async throws {
        // There are so many connections that the used ones are not reached, even if a slow server makes room
        // several times.
        try await SmallServer.use(.with { $0.connections = 64 }) { server in
            var clients: [Client] = []
            for _ in 0..<64 { clients.append(try await server.idleClient()) }
            for client in clients.prefix(8) {
                await client.get()
                #expect(await client.receiveAnswer().status == 200)
            }
            let new = try await server.idleClient()
            for client in clients.prefix(8) + [new] {
                await client.get()
                #expect(await client.receiveAnswer().status == 200)
            }
            #expect(clients.dropFirst(8).contains { $0.isClosed })
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
        let order = Mutex<[String]>([])
        try await SmallServer.use(
            .with {
                $0.connections = 2; $0.leastSilence = .zero
            }
        ) { request in
            if request.uri.path == "/wait" { _ = await mayEnd.happens() }
            order.withLock { $0.append(request.uri.path) }
            return .text("here\n")
        } _: { server in
            let busy = [try server.client(), try server.client()]
            for client in busy { await client.get("/wait", "Connection: close") }
            let new = try server.client()
            await new.get()
            // The pause lets the server look for room a few times. The checks below do not depend on whether it
            // has.
            try await Task.sleep(for: .milliseconds(300))
            mayEnd.happen()
            for client in busy { #expect(await client.receive().status == 200) }
            #expect(await new.receiveAnswer().status == 200)
            #expect(order.withLock { $0.first } == "/wait")
        }
    }

    @Test("A full process that is told to end does, while somebody waits for a place", arguments: 0..<5)
    func ending(attempt: Int) async throws {
        let mayEnd = Event()
        let began = Event()
        try await SmallServer.use(.with { $0.connections = 1 }, linger: .milliseconds(20)) { _ in
            began.happen()
            _ = await mayEnd.happens()
            return .text("here\n")
        } _: { server in
            let (busy, waiting) = (try server.client(), try server.client())
            await busy.get()
            #expect(await began.happens())
            // The moment lies within the time in which the acceptor waits for a place, and differs with each
            // attempt. The result is always the same.
            try await Task.sleep(for: .milliseconds(13 * attempt))
            await server.drain()
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
