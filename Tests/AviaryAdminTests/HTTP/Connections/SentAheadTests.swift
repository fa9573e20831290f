import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Fairness between clients that pipeline requests")
struct SentAheadTests {
    private static let clients = 100
    /// The number of requests of a client. They all fit into the first bytes that the server reads.
    private static let requests = 40

    @Test("A new connection is answered before all pipelined requests of other clients")
    func newConnection() async throws {
        let (begun, mayEnd) = (Counter(), Event())
        let (answered, answeredBefore) = (Counter(), Counter())
        try await useOneLoop { request in
            switch request.uri.path {
            case "/hold":
                begun.increase()
                _ = await mayEnd.happens()
            case "/healthz": answeredBefore.increase(by: answered.value)
            default: answered.increase()
            }
            return .text("here\n")
        } _: { server in
            let clients = try (0..<Self.clients).map { _ in try server.client() }
            for client in clients {
                await client.send(server.requests(["/hold"] + Array(repeating: "/", count: Self.requests)))
            }
            try await eventually("each client's first request is worked on") { begun.value == Self.clients }
            mayEnd.happen()
            let other = try server.client(sending: server.requests(["/healthz"]))
            #expect(await other.receiveAnswer().status == 200)
            #expect(answeredBefore.value < Self.clients * Self.requests)
            try await eventually("the rest is answered too") { answered.value == Self.clients * Self.requests }
            // A client closes its connection when nothing refers to it.
            withExtendedLifetime(clients) {}
        }
    }

    @Test("Waiting requests do not block other clients")
    func slow() async throws {
        let mayEnd = Event(), waiting = Counter()
        try await useOneLoop { request in
            if request.uri.path == "/wait" {
                waiting.increase()
                _ = await mayEnd.happens()
            }
            return .text("here\n")
        } _: { server in
            let slow = try (0..<10).map { _ in try server.client(sending: server.requests(["/", "/wait"])) }
            try await eventually("each waits") { waiting.value == slow.count }
            let client = try server.client(sending: server.requests(["/", "/", "/"]) + server.last)
            #expect(await client.receive().statuses == [200, 200, 200, 200])
            mayEnd.happen()
        }
    }

    private func useOneLoop(
        answer: @escaping @Sendable (Request) async throws -> Response, _ body: (SmallServer) async throws -> Void
    ) async throws {
        let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        try await SmallServer.use(
            eventLoops: eventLoops, responder: CallbackResponder { request, _ in try await answer(request) }, body)
        try await eventLoops.shutdownGracefully()
    }
}

extension SmallServer {
    fileprivate func requests(_ paths: [String]) -> String {
        paths.map { "GET \($0) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n" }.joined()
    }

    fileprivate var last: String {
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func increase(by number: Int = 1) { count.withLock { $0 += number } }
}
