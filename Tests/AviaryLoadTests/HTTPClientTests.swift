import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import AviaryLoad

@Suite("HTTP client of the load harness") struct HTTPClientTests {
    /// A handler that closes each connection as soon as data arrives.
    private final class Closer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.close(promise: nil) }
    }

    @Test("A connection that closes before the response is an error, without a retry")
    func lost() async throws {
        let accepted = Atomic(0)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                accepted.wrappingAdd(1, ordering: .relaxed)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Closer())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let client = HTTPClient(maximumConnections: 1, patience: TimeAmount(Patience.bound))
        for number in 1...2 {
            await #expect(throws: HTTPClientError.connectionClosed) {
                try await client.send(HTTPClient.Request(url: "http://127.0.0.1:\(port)/"))
            }
            #expect(accepted.load(ordering: .relaxed) == number)
        }
        await client.shutdown()
        try await server.close()
    }

    @Test("Requests share one connection and run one at a time")
    func turns() async throws {
        let current = Atomic(0)
        let most = Atomic(0)
        let router = Router()
        router.get("/") { _, _ in
            most.max(current.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
            defer { current.wrappingSubtract(1, ordering: .relaxed) }
            await Task.yield()
            return "done"
        }
        try await serving(router) { origin in
            let client = HTTPClient(maximumConnections: 1, patience: TimeAmount(Patience.bound))
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<10 {
                    group.addTask { String(buffer: try await client.send(HTTPClient.Request(url: origin + "/")).body) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: "done", count: 10))
            await client.shutdown()
        }
        #expect(most.load(ordering: .relaxed) == 1)
    }

    @Test(
        "A path is sent unchanged, except for characters that a URL cannot contain",
        arguments: [("/a%20b?c=%C3%A9&d=1", "/a%20b?c=%C3%A9&d=1"), ("/a b?c=é", "/a%20b?c=%C3%A9"), ("", "/")])
    func paths(given: String, sent: String) async throws {
        let router = Router()
        router.get("**") { request, _ in request.uri.string }
        router.get("/") { request, _ in request.uri.string }
        try await serving(router) { origin in
            let client = HTTPClient(maximumConnections: 1, patience: TimeAmount(Patience.bound))
            let response = try await client.send(HTTPClient.Request(url: origin + given))
            #expect(String(buffer: response.body) == sent)
            await client.shutdown()
        }
    }

    @Test("An https URL is rejected before anything is sent")
    func secure() async throws {
        let client = HTTPClient(maximumConnections: 1)
        await #expect(throws: HTTPClientError.invalidURL) {
            try await client.send(HTTPClient.Request(url: "https://127.0.0.1/"))
        }
        let error = #expect(throws: LoadPlanError.self) {
            try LoadTarget.running("https://127.0.0.1", allowsOtherHosts: false)
        }
        #expect(error?.description.contains("has no TLS") == true)
    }
}
