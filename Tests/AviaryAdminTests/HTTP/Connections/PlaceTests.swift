import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Connection limit")
struct PlaceTests {
    @Test("A new connection replaces a connection that is idle, and recently used connections remain")
    func idle() async throws {
        // There are so many connections that the used ones are not reached, even if a slow server makes room
        // several times.
        try await SmallServer.use(.with { $0.connections = 128 }) { server in
            var clients: [Client] = []
            for _ in 0..<128 { clients.append(try await server.idleClient()) }
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
        "Silent connections and endless header fields do not block other connections",
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

    @Test("A connection with a request in progress is not closed for a new connection")
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

    @Test("A full process shuts down while a client waits for a connection", arguments: 0..<5)
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
            // The pause ends while the acceptor waits for a free connection, and differs with each attempt.
            // The result is always the same.
            try await Task.sleep(for: .milliseconds(13 * attempt))
            await server.drain()
            mayEnd.happen()
            #expect(await busy.receive().statuses == [200])
            #expect(await server.end.happens())
            withExtendedLifetime(waiting) {}
        }
    }

    @Test("The connection limit leaves descriptors for the rest of the process")
    func descriptors() {
        #expect(ConnectionLimits.connections(descriptors: 64) == 24)
        #expect(ConnectionLimits.connections(descriptors: 1024) == 896)
        #expect(ConnectionLimits.connections(descriptors: 1 << 20) == 4096)
        #expect(ConnectionLimits.connections(descriptors: 20) == 8)
        #expect(ConnectionLimits.descriptorLimit > 0)
    }
}
