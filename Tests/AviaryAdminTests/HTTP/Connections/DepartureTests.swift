import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Cancellation when a client disconnects")
struct DepartureTests {
    @Test("Rendering a page is cancelled when its client disconnects", arguments: ["GET", "HEAD"])
    func page(method: String) async throws {
        try await expectCancelled(.with { $0.departure = .milliseconds(50) }) { client in
            await client.send("\(method) / HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\n\r\n")
        } leave: { _ in
        }
    }

    @Test("A half-closed connection counts as disconnected after a moment")
    func halfClosed() async throws {
        try await expectCancelled(.with { $0.departure = .milliseconds(50) }) {
            await $0.get()
        } leave: {
            $0.closeOutput()
        }
    }

    @Test("Pipelined requests are answered although the client half-closes the connection at once")
    func script() async throws {
        try await SmallServer.use(.with { $0.departure = .seconds(600) }) { server in
            let client = try server.client()
            let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
            await client.send(request + request + request)
            client.closeOutput()
            let received = await client.receive()
            #expect(received.statuses == [200, 200, 200])
            #expect(received.end == .closed)
        }
    }

    @Test("A form that was received completely is processed although its client disconnects")
    func form() async throws {
        let (began, mayGoOn, ended) = (Event(), Event(), Event())
        let (pageBegan, pageEnded) = (Event(), Event())
        let wasCancelled = Mutex(false)
        try await SmallServer.use(.with { $0.departure = .milliseconds(20) }) { request in
            if request.uri.path == "/page" {
                pageBegan.happen()
                defer { pageEnded.happen() }
                try await Task.sleep(for: .seconds(3600))
            }
            _ = try await request.body.collect(upTo: 100)
            began.happen()
            _ = await mayGoOn.happens()
            wasCancelled.withLock { $0 = Task.isCancelled }
            ended.happen()
            return .text("done\n")
        } _: { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 1\r\n\r\na")
            #expect(await began.happens())
            client.closeOutput()
            // A later page whose reader disconnects is abandoned meanwhile.
            let reader = try server.client()
            await reader.get("/page")
            #expect(await pageBegan.happens())
            reader.closeOutput()
            #expect(await pageEnded.happens())
            mayGoOn.happen()
            #expect(await ended.happens())
            #expect(!wasCancelled.withLock { $0 })
            #expect(await client.receive().statuses == [200])
        }
    }

    @Test(
        "Reading the body of a disconnected client fails and never ends like a complete body",
        arguments: [true, false])
    func body(isReset: Bool) async throws {
        let (began, failed) = (Event(), Event())
        let whole = Mutex(false)
        try await SmallServer.use { request in
            do {
                for try await _ in request.body { began.happen() }
                whole.withLock { $0 = true }
            } catch {
                failed.happen()
                throw error
            }
            return .text("read\n")
        } _: { server in
            do {
                let client = try server.client()
                await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n")
                await client.send("Content-Length: 20000\r\n\r\nabc")
                #expect(await began.happens())
                if isReset { client.resetOnClose() }
            }
            #expect(await failed.happens())
            #expect(!whole.withLock { $0 })
        }
    }

    private func expectCancelled(
        _ limits: ConnectionLimits, ask: (Client) async -> Void, leave: (Client) -> Void
    ) async throws {
        let (began, cancelled) = (Event(), Event())
        try await SmallServer.use(limits) { _ in
            began.happen()
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                cancelled.happen()
                throw error
            }
            return .text("late\n")
        } _: { server in
            var client: Client? = try server.client()
            if let client {
                await ask(client)
                #expect(await began.happens())
                leave(client)
            }
            client = nil
            #expect(await cancelled.happens())
        }
    }
}
