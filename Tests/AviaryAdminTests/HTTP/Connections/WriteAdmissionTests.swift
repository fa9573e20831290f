import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Request admission")
struct WriteAdmissionTests {
    @Test("Above the limit, a request answers 503 with Retry-After, and the next one can succeed")
    func full() async throws {
        let mayEnd = Event()
        try await use(RequestAdmission(limit: 2, changeLimit: 2), wait: mayEnd) { server in
            let waiting = [try server.client(), try server.client()]
            for client in waiting { await client.get("/wait") }
            try await reached(2)
            let refused = try server.client()
            await refused.get("/")
            let answer = await refused.receiveAnswer()
            #expect(answer.statuses == [503])
            #expect(answer.text.contains("Retry-After: 2\r\n"))
            #expect(answer.text.contains("The server is busy"))
            mayEnd.happen()
            for client in waiting { #expect(await client.receiveAnswer().status == 200) }
            // The same connection can still be used.
            await refused.get("/")
            #expect(await refused.receiveAnswer().status == 200)
        }
    }

    @Test(
        "Probes and metrics are answered although the limit is reached", arguments: ["/healthz", "/readyz", "/metrics"])
    func watchers(path: String) async throws {
        let mayEnd = Event()
        try await use(RequestAdmission(limit: 1, changeLimit: 1), wait: mayEnd) { server in
            let waiting = try server.client()
            await waiting.get("/wait")
            try await reached(1)
            let watcher = try server.client()
            await watcher.get(path)
            #expect(await watcher.receiveAnswer().status == 200)
            mayEnd.happen()
        }
    }

    @Test("Requests that change data leave room for requests that only read")
    func changes() async throws {
        let mayEnd = Event()
        try await use(RequestAdmission(limit: 4, changeLimit: 2), wait: mayEnd) { server in
            let waiting = [try server.client(), try server.client()]
            for client in waiting { await client.send(post(server)) }
            try await reached(2)
            let third = try server.client()
            await third.send(post(server))
            #expect(await third.receiveAnswer().status == 503)
            let reader = try server.client()
            await reader.get("/")
            #expect(await reader.receiveAnswer().status == 200)
            mayEnd.happen()
            for client in waiting { #expect(await client.receiveAnswer().status == 200) }
        }
    }

    @Test("A rejected request does not count, and a finished request releases its admission")
    func count() {
        let admission = RequestAdmission(limit: 3, changeLimit: 1)
        #expect(admission.enter(isChange: true))
        #expect(!admission.enter(isChange: true))
        #expect(admission.enter(isChange: false) && admission.enter(isChange: false))
        #expect(!admission.enter(isChange: false))
        #expect(admission.inFlight == 3)
        admission.leave(isChange: true)
        #expect(admission.enter(isChange: true))
    }

    private let entered = AsyncStream<Void>.makeStream()

    private func reached(_ count: Int) async throws {
        var iterator = entered.stream.makeAsyncIterator()
        for _ in 0..<count { try #require(await iterator.next() != nil) }
    }

    private func post(_ server: SmallServer) -> String {
        "POST /wait HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 0\r\n\r\n"
    }

    private func use(_ admission: RequestAdmission, wait: Event, _ body: (SmallServer) async throws -> Void)
        async throws
    {
        let pages = AdminPages(application: "Test", models: [], assets: AssetRoutes().pageAssets)
        let middleware = AdmissionMiddleware(admission: admission, pages: pages)
        try await SmallServer.use(
            responder: CallbackResponder { [entered] request, context in
                try await middleware.handle(request, context: context) { request, _ in
                    if request.uri.path == "/wait" {
                        entered.continuation.yield()
                        _ = await wait.happens()
                    }
                    return .text("here\n")
                }
            }, body)
    }
}
