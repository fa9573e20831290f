import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Draining connections")
struct DrainTests {
    @Test("A request on an idle connection is answered with Connection: close during draining")
    func idle() async throws {
        try await SmallServer.use(linger: .seconds(600)) { server in
            let client = try await server.idleClient()
            await server.drain()
            await client.get()
            let received = await client.receive()
            #expect(received.statuses == [200])
            #expect(received.text.contains("Connection: close"))
            #expect(received.end == .closed)
        }
    }

    @Test("A request on an accepted connection is answered during draining")
    func fresh() async throws {
        try await SmallServer.use(linger: .seconds(600)) { server in
            let client = try server.client()
            // Connections are accepted in order: when the second one is answered, the first one was accepted.
            _ = try await server.idleClient()
            await server.drain()
            await client.get()
            let received = await client.receive()
            #expect(received.statuses == [200])
            #expect(received.end == .closed)
        }
    }

    @Test("Connections that wait in the backlog when draining begins are accepted and answered")
    func waiting() async throws {
        try await SmallServer.use(linger: .seconds(600)) { server in
            // With more connections, it is more likely that one of them waits.
            let clients = try (0..<50).map { _ in try server.client() }
            await server.drain()
            for client in clients {
                await client.get()
                #expect(await client.receive().statuses == [200])
            }
        }
    }

    @Test("A request in progress is answered, however long it takes")
    func underWay() async throws {
        let (began, mayEnd) = (Event(), Event())
        try await SmallServer.use(linger: .milliseconds(20)) { _ in
            began.happen()
            _ = await mayEnd.happens()
            return .text("in the end\n")
        } _: { server in
            let client = try server.client()
            await client.get()
            #expect(await began.happens())
            let idle = try server.client()
            await server.drain()
            #expect(await idle.receive().end == .closed)
            mayEnd.happen()
            let received = await client.receive()
            #expect(received.text.hasSuffix("in the end\n"))
            #expect(received.text.contains("Connection: close"))
            #expect(received.end == .closed)
        }
    }

    @Test("A form whose body is still arriving is read and answered")
    func body() async throws {
        let began = Event()
        try await SmallServer.use(linger: .milliseconds(20)) { request in
            began.happen()
            return .text("\(try await request.body.collect(upTo: 20_000).readableBytes)\n")
        } _: { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 20000\r\n\r\nabc")
            #expect(await began.happens())
            let idle = try server.client()
            await server.drain()
            #expect(await idle.receive().end == .closed)
            await client.send(String(repeating: "d", count: 19_997))
            #expect(await client.receive().text.hasSuffix("20000\n"))
        }
    }

    @Test("A short form that no route has yet is read and answered")
    func shortBody() async throws {
        try await SmallServer.use(linger: .milliseconds(20)) { request in
            .text("\(try await request.body.collect(upTo: 100).readableBytes)\n")
        } _: { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 6\r\n\r\nabc")
            let idle = try server.client()
            await server.drain()
            #expect(await idle.receive().end == .closed)
            await client.send("def")
            #expect(await client.receive().text.hasSuffix("6\n"))
        }
    }

    @Test("Idle connections are closed without a reset when the drain time is over")
    func afterwards() async throws {
        try await SmallServer.use(linger: .milliseconds(100)) { server in
            let client = try await server.idleClient()
            await server.drain()
            let received = await client.receive()
            #expect(received.bytes.isEmpty)
            #expect(received.end == .closed)
        }
    }

    @Test("A slow reader gets the whole answer during draining, despite unread input")
    func answer() async throws {
        try await SmallServer.use(linger: .seconds(600)) { _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 97, count: 8 << 20)))
        } _: { server in
            let client = try server.client(receiveBuffer: 64 << 10)
            let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
            await server.drain()
            await client.send(request + request + "garbage")
            let received = await client.receive()
            #expect(received.statuses == [200])
            #expect(received.bytes.count > 8 << 20)
            #expect(received.end == .closed)
        }
    }
}
