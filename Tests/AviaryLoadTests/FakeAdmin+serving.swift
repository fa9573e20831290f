import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension FakeAdmin {
    /// Serves while `body` runs, to everybody.
    nonisolated func serve<Value: Sendable>(_ body: @escaping @Sendable (_ origin: String) async throws -> Value)
        async throws -> Value
    {
        let router = Router()
        for path in ["/admin/animals", "/admin/animals/**", "/admin/undo/**"] as [RouterPath] {
            router.on(path, method: .get) { request, _ in try await self.respond(request) }
            router.on(path, method: .post) { request, _ in try await self.respond(request) }
        }
        return try await serving(router, body)
    }

    nonisolated func respond(_ request: Request) async throws -> Response {
        if request.method == .get, await isRecord(request.uri.path) { await meet() }
        let (status, page, location) = await answer(
            request.method.rawValue, request.uri.path, decodedForm(request.uri.query ?? ""),
            try await request.decodedForm
        )
        return Response(status: status, page: page, headers: location.map { [.location: $0] } ?? [:])
    }
}
