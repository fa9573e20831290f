import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AviaryLoad

@Suite("Browsers of a load test") struct BrowserTests {
    @Test(
        "An incomplete response times out",
        .timeLimit(.minutes(Patience.minutes)))
    func halfAnAnswer() async throws {
        let router = Router()
        router.get("/half") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/html"],
                body: ResponseBody(contentLength: 100) { writer in
                    try await writer.write(ByteBuffer(string: "<p>"))
                    // The handler never answers during the test; only the time-out of the browser ends the wait.
                    try await Task.sleep(for: .seconds(86_400))
                    try await writer.finish(nil)
                })
        }
        try await serving(router) { origin in
            let client = HTTPClient(maximumConnections: 1, patience: .milliseconds(300))
            let recorder = Recorder(start: .now, duration: .seconds(1))
            var browser = Browser(client: client, origin: origin, recorder: recorder)
            let failure = await #expect(throws: NoResponse.self) { try await browser.get("/half", as: .list) }
            #expect(failure?.kind == "no answer in time")
            #expect(recorder.result.errors == ["no answer in time": 1])
            await client.shutdown()
        }
    }

    private struct PeerContext: RequestContext {
        var coreContext: CoreRequestContextStorage
        let port: Int?

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            port = source.channel.remoteAddress?.port
        }
    }

    @Test("Each browser keeps its own connection")
    func connections() async throws {
        let ports = Mutex<Set<Int>>([])
        let router = Router(context: PeerContext.self)
        router.get("/admin/animals") { _, context in
            if let port = context.port { ports.withLock { _ = $0.insert(port) } }
            return Response(status: 200, page: "<span data-count=\"0\"></span>")
        }
        try await serving(router) { origin in
            let plan = try LoadPlan(
                scenario: LoadScenario.browse.weighted("list=1"), connections: 8, rate: 40, duration: .seconds(1),
                model: "animals"
            )
            // On a busy machine, a run may end before each browser has sent a request.
            try await eventually("every browser had sent a request") {
                ports.withLock { $0 = [] }
                let result = try await LoadTest(
                    plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }
                ).run()
                #expect(result.isGood && result.measurements.failedRequests == 0)
                let count = ports.withLock { $0.count }
                #expect(count <= 8)
                return count == 8
            }
        }
    }
}
