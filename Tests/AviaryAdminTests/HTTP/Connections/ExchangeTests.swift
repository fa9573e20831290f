import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Request and response exchange in HTTP/1.1 and HTTP/1.0")
struct ExchangeTests {
    @Test("Pipelined requests are answered in order, although later ones are faster")
    func pipelined() async throws {
        try await SmallServer.use { request in
            if request.uri.path == "/0" { try await Task.sleep(for: .milliseconds(100)) }
            return .text("path \(request.uri.path)\n" + String(buffer: try await request.body.collect(upTo: 100)))
        } _: { server in
            let client = try server.client()
            let host = "Host: 127.0.0.1:\(server.port)\r\n"
            var requests = (0..<20).map { index in
                index.isMultiple(of: 2)
                    ? "GET /\(index) HTTP/1.1\r\n\(host)\r\n"
                    : "POST /\(index) HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\na\n"
            }
            requests.append("GET /last HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
            await client.send(requests.joined())
            let received = await client.receive()
            #expect(
                received.text.matches(of: /path \/(\w+)/).map { String($0.1) } == (0..<20).map(String.init) + ["last"])
            #expect(received.end == .closed)
        }
    }

    @Test("Thousands of pipelined requests are all answered")
    func manyPipelined() async throws {
        try await SmallServer.use { server in
            let client = try server.client()
            let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
            async let sent = client.send(
                String(repeating: request, count: 5000)
                    + request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
            let received = await client.receive()
            #expect(received.statuses.count == 5001)
            #expect(Set(received.statuses) == [200])
            #expect(await sent)
        }
    }

    @Test("A request with Expect: 100-continue gets one interim answer")
    func goOn() async throws {
        try await SmallServer.use { request in
            .text(String(buffer: try await request.body.collect(upTo: 100)))
        } _: { server in
            let client = try server.client()
            await client.send(
                "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(await client.receive(atMost: 1000) == "HTTP/1.1 100 Continue\r\n\r\n".utf8.count)
            await client.send("hello")
            let answer = await client.receiveAnswer()
            #expect(answer.statuses == [200])
            #expect(answer.text.hasSuffix("hello"))
        }
    }

    @Test("A request with Expect: 100-continue and a body that is too large answers 413")
    func doNotGoOn() async throws {
        try await SmallServer.use(.with { $0.bodySize = 10 }) { server in
            let client = try server.client()
            await client.send(
                "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(await client.receive().statuses == [413])
        }
    }

    @Test("HTTP/1.0 closes the connection unless the client asks to keep it")
    func old() async throws {
        try await SmallServer.use { server in
            let client = try server.client()
            await client.send("GET / HTTP/1.0\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: keep-alive\r\n\r\n")
            #expect(await client.receiveAnswer().text.contains("Connection: keep-alive"))
            await client.send("GET / HTTP/1.0\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
            let received = await client.receive()
            #expect(received.statuses == [200])
            #expect(received.end == .closed)
        }
    }

    @Test("An HTTP/1.0 answer without a length ends with the connection and has no chunks")
    func oldWithoutLength() async throws {
        try await SmallServer.use { _ in
            Response(
                status: .ok,
                body: .init { writer in
                    for _ in 0..<3 { try await writer.write(ByteBuffer(string: "part ")) }
                    try await writer.finish(nil)
                })
        } _: { server in
            let client = try server.client()
            await client.send("GET / HTTP/1.0\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: keep-alive\r\n\r\n")
            let received = await client.receive()
            #expect(received.text.hasSuffix("\r\n\r\npart part part "))
            #expect(!received.text.lowercased().contains("transfer-encoding"))
            #expect(received.end == .closed)
        }
    }

    @Test("An upgrade request is answered in HTTP/1.1, and the connection is closed")
    func upgrade() async throws {
        try await SmallServer.use { server in
            let client = try server.client()
            await client.get(
                "/", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA")
            let received = await client.receive()
            #expect(received.statuses == [200])
            #expect(received.end == .closed)
        }
    }

    @Test(
        "The close option is recognized in any case and among other options",
        arguments: ["close", "Close", "x, close", "close,keep-alive"])
    func close(value: String) async throws {
        try await SmallServer.use { server in
            let client = try server.client()
            await client.get("/", "Connection: \(value)")
            let received = await client.receive()
            #expect(received.text.contains("Connection: close"))
            #expect(received.end == .closed)
        }
    }
}
