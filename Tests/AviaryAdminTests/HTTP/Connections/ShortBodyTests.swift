import Hummingbird
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Short request bodies")
struct ShortBodyTests {
    private static let short = ConnectionLimits.standard.shortBody

    @Test(
        "A request with a short body that does not arrive reaches no route",
        arguments: ["Content-Length: \(short)\r\n\r\na", "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n"])
    func incomplete(rest: String) async throws {
        let asked = Mutex(0)
        try await SmallServer.use(.with { $0.transfer = .milliseconds(300) }) { _ in
            asked.withLock { $0 += 1 }
            return .text("here\n")
        } _: { server in
            let client = try server.client(sending: "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n" + rest)
            #expect(await client.receive().statuses == [408])
            #expect(asked.withLock { $0 } == 0)
        }
    }

    @Test(
        "A request with a longer body reaches its route before the body is complete",
        arguments: [
            "Content-Length: \(short + 1)\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n4001\r\n" + String(repeating: "a", count: 0x4001) + "\r\n",
        ])
    func long(rest: String) async throws {
        try await SmallServer.use { server in
            let client = try server.client(sending: "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n" + rest)
            #expect(await client.receiveAnswer().statuses == [200])
        }
    }

    @Test("A route gets the whole of a short body that arrives in pieces")
    func pieces() async throws {
        try await SmallServer.use { request in
            .text(String(buffer: try await request.body.collect(upTo: 1 << 20)) + "\n")
        } _: { server in
            let client = try server.client()
            let text = "abcdefghijklmnopqrstuvwxyz"
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 26\r\n\r\n")
            for letter in text { await client.send(String(letter)) }
            #expect(await client.receiveAnswer().text.hasSuffix(text + "\n"))
        }
    }

    @Test("When short bodies need too much memory together, the slowest ends with 503")
    func memory() throws {
        let loop = EmbeddedEventLoop()
        let limits = ConnectionLimits.with { $0.waitingBodies = 50_000 }
        let connections = HTTPConnectionRegistry(loop, limits: limits, share: 1)
        let channels = try (0..<5).map { _ in
            let gate = ConnectionGate(limits: limits, descriptor: -1, work: ConnectionTask(), connections: connections)
            let channel = EmbeddedChannel(handler: gate, loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
            return channel
        }
        let request =
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10001\r\n\r\n"
            + String(repeating: "a", count: 10_000)
        for channel in channels { try channel.writeInbound(ByteBuffer(string: request)) }

        guard case .byteBuffer(let refusal)? = try channels[0].readOutbound(as: IOData.self) else {
            Issue.record("The slowest client has no answer.")
            return
        }
        #expect(String(buffer: refusal).hasPrefix("HTTP/1.1 503 "))
        for channel in channels[1...] { #expect(try channel.readOutbound(as: IOData.self) == nil) }
        #expect(connections.withheldBytes == 4 * request.utf8.count)

        try channels[4].writeInbound(ByteBuffer(string: "a"))
        #expect(try channels[4].readInbound(as: ByteBuffer.self)?.readableBytes == request.utf8.count + 1)
        #expect(connections.withheldBytes == 3 * request.utf8.count)
        for channel in channels { channel.pipeline.fireChannelInactive() }
        #expect(connections.withheldBytes == 0)
    }
}
