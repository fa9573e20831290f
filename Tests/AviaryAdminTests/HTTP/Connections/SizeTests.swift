import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Size limits")
struct SizeTests {
    @Test("The request line and the fields together have a limit", arguments: [(0, 200), (1, 431)])
    func head(beyond: Int, status: Int) async throws {
        let limits = ConnectionLimits.standard
        try await expect(status) { port in
            let rest = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \r\n\r\n"
            return rest.replacing(
                "Cookie: ", with: "Cookie: " + String(repeating: "a", count: limits.headSize + beyond - rest.utf8.count)
            )
        }
    }

    @Test("The limit of the head applies when it arrives in pieces", arguments: [(0, 200), (1, 431)])
    func headInPieces(beyond: Int, status: Int) async throws {
        try await SmallServer.use(.with { $0.headSize = 200 }) { server in
            let client = try server.client()
            let start = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX: "
            await client.send(start)
            for _ in start.utf8.count..<196 + beyond { await client.send("a") }
            await client.send("\r\n\r\n")
            #expect(await client.receiveAnswer().statuses == [status])
        }
    }

    @Test("The target has a limit", arguments: [(0, 200), (1, 414)])
    func target(beyond: Int, status: Int) async throws {
        let length = ConnectionLimits.standard.targetSize + beyond
        try await expect(status) { port in
            "GET /" + String(repeating: "a", count: length - 1) + " HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        }
    }

    @Test("An endless target is rejected before its end")
    func endlessTarget() async throws {
        try await expect(414) { _ in "GET /" + String(repeating: "a", count: 10_000) }
    }

    @Test("The number of fields has a limit", arguments: [(0, 200), (1, 431)])
    func fields(beyond: Int, status: Int) async throws {
        let others = ConnectionLimits.standard.fields - 1 + beyond
        try await expect(status) { port in
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n" + String(repeating: "X: a\r\n", count: others) + "\r\n"
        }
    }

    @Test("The body has a limit, with a declared length or in chunks", arguments: [(0, 200), (1, 413)], [true, false])
    func body(beyond: (Int, Int), isChunked: Bool) async throws {
        let (beyond, status) = beyond
        try await expect(status, .with { $0.bodySize = 1000 }) { port in
            let body = String(repeating: "a", count: 1000 + beyond)
            return "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                + (isChunked
                    ? "Transfer-Encoding: chunked\r\n\r\n1F4\r\n\(body.prefix(500))\r\n\(String(body.utf8.count - 500, radix: 16))\r\n\(body.dropFirst(500))\r\n0\r\n\r\n"
                    : "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }

    @Test("A rejected upload is read to its end, so that its sender gets the answer and no reset")
    func upload() async throws {
        // The time limits are long, in case the sender is delayed.
        try await SmallServer.use(
            .with {
                $0.bodySize = 1000; $0.lingering = .seconds(600); $0.lingeringSilence = .seconds(600)
            }
        ) { _ in
            Issue.record("It reached a route.")
            return .noContent
        } _: { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: \(8 << 20)\r\n\r\n")
            #expect(await client.send([UInt8](repeating: 97, count: 8 << 20)))
            let received = await client.receive()
            #expect(received.statuses == [413])
            #expect(received.end == .closed)
        }
    }

    @Test("The number of bytes that are discarded after a rejection has a limit")
    func endlessUpload() async throws {
        try await SmallServer.use(
            .with {
                $0.bodySize = 1000; $0.lingeringSize = 1 << 20
            }
        ) { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 99999999\r\n\r\n")
            var sent = 0
            while sent < 1000, await client.send([UInt8](repeating: 97, count: 1 << 20)) { sent += 1 }
            #expect(sent < 1000)
        }
    }

    @Test("An answer before the body is read closes the connection, so the body is not parsed as a request")
    func earlyAnswer() async throws {
        try await SmallServer.use { _ in
            .text("early\n")
        } _: { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 100000\r\n\r\n")
            let answer = await client.receiveAnswer()
            #expect(answer.statuses == [200])
            #expect(answer.text.contains("Connection: close"))
            await client.get("/smuggled")
            #expect(await client.receive().statuses == [])
        }
    }

    private func expect(
        _ status: Int, _ limits: ConnectionLimits = .standard, request: (Int) -> String
    ) async throws {
        try await SmallServer.use(limits) { request in
            _ = try await request.body.collect(upTo: 1 << 20)
            return .text("here\n")
        } _: { server in
            let client = try server.client()
            await client.send(request(server.port))
            #expect(await client.receiveAnswer().statuses == [status])
        }
    }
}

@Suite("Size limits of the admin", .server)
struct AdminSizeTests {
    @Test(
        "Cookies that are too large answer 431, in one field or in several",
        arguments: [1, 2, 40])
    func cookies(fields: Int) async throws {
        let port = try Server.shared.port
        let client = try Client(port: port)
        let cookies = (0..<fields).map { "Cookie: c\($0)=" + String(repeating: "a", count: 20_000 / fields) + "\r\n" }
            .joined()
        await client.send("GET /admin HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(cookies)\r\n")
        let received = await client.receive()
        #expect(received.statuses == [431])
        #expect(received.end == .closed)
        #expect(received.text.contains("remove this site's cookies"))
    }

    @Test("The size of all drafts that a browser may hold is accepted")
    func drafts() async throws {
        let port = try Server.shared.port
        let client = try Client(port: port)
        await client.get("/login", "Cookie: " + String(repeating: "a", count: 8100))
        #expect(await client.receiveAnswer().statuses == [200])
    }

    @Test(
        "A form of 2 MiB is accepted, and one byte more answers 413",
        // An account has room for two of these at a time.
        .serialized, arguments: [(0, 303), (1, 413)], [true, false])
    func form(beyond: (Int, Int), isChunked: Bool) async throws {
        let (beyond, status) = beyond
        let browser = Browser(try .shared, role: "editor")
        let animal = try await browser.newAnimal("Sized \(beyond) \(isChunked)").encoded + "&padding="
        let body = animal + String(repeating: "a", count: (2 << 20) + beyond - animal.utf8.count)
        let client = try Client(port: try Server.shared.port)
        let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let head = """
            POST /admin/animals HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\nCookie: \(cookies)\r\n\
            Content-Type: application/x-www-form-urlencoded\r\n
            """
        let rest =
            isChunked
            ? "Transfer-Encoding: chunked\r\n\r\n\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            : "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        #expect(await client.send(head + rest))
        let answer = await client.receiveAnswer()
        #expect(answer.statuses == [status])
        if status == 413 { #expect(answer.text.contains("Go back and shorten the longest text")) }
    }
}
