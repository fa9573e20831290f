import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension FakeAdmin {
    /// Serves while `body` runs.
    nonisolated func serve<Value: Sendable>(_ body: @escaping @Sendable (_ origin: String) async throws -> Value) async throws -> Value {
        let (ports, portsEnd) = AsyncStream<Int>.makeStream()
        let router = Router()
        for path in ["/admin/animals", "/admin/animals/**"] as [RouterPath] {
            router.on(path, method: .get) { request, _ in try await self.respond(request) }
            router.on(path, method: .post) { request, _ in try await self.respond(request) }
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { portsEnd.yield($0.localAddress?.port ?? 0) }
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            group.addTask {
                for await port in ports { return try await body("http://127.0.0.1:\(port)") }
                return nil
            }
            while let value = try await group.next() {
                if let value {
                    group.cancelAll()
                    return value
                }
            }
            throw CancellationError()
        }
    }

    private nonisolated func respond(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1 << 20)
        let (status, page) = await answer(
            request.method.rawValue, request.uri.path, decode(request.uri.query ?? ""), decode(String(buffer: body))
        )
        return Response(
            status: .init(code: status), headers: [.contentType: "text/html"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page))
        )
    }

    private nonisolated func decode(_ text: String) -> [String: String] {
        let pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        return Dictionary(pairs, uniquingKeysWith: { _, last in last })
    }
}
