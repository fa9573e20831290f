import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Short answers under load")
struct CrowdedAnswerTests {
    @Test("A busy server answers an anonymous request with a short text instead of a page")
    func short() async throws {
        let pages = AdminPages(application: "Test", models: [], assets: AssetRoutes().pageAssets)
        let middleware = ErrorMiddleware(pages: pages)
        try await SmallServer.use(
            responder: CallbackResponder { request, context in
                try await middleware.handle(request, context: context) { request, _ in
                    if request.uri.path == "/busy" { throw PageError.busy }
                    if request.uri.path == "/ended" { throw ConnectionError.crowded }
                    throw PageError.notFound
                }
            }
        ) { server in
            let client = try server.client()
            await client.get("/busy")
            let busy = await client.receiveAnswer()
            #expect(busy.statuses == [503])
            #expect(busy.text.contains("The server is busy") && busy.text.lowercased().contains("retry-after: 2\r\n"))
            #expect(!busy.text.contains("<"))
            await client.get("/ended")
            let ended = await client.receiveAnswer()
            #expect(ended.statuses == [503])
            #expect(!ended.text.contains("<"))
            await client.get("/other")
            #expect(await client.receiveAnswer().text.contains("<html"))
        }
    }

    @Test("A page above the maximum length becomes a short error page")
    func tooLong() throws {
        let pages = AdminPages(application: "Test", models: [], assets: AssetRoutes().pageAssets)
        let response = pages.alone(title: String(repeating: "x", count: 9 << 20)) { _ in }
        #expect(response.status == PageError.pageTooLong.status)
        #expect(response.status == .unprocessableContent)
        #expect(try #require(response.body.contentLength) < 64 * 1024)
    }
}
