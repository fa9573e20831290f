import HTTPTypes
import Hummingbird
import Logging

/// Tells whoever asked what the log calls this request. Always a name of our own: one from outside could be anything.
struct RequestIDMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    private static let field = HTTPField.Name("X-Request-Id")

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await Logger.$requestID.withValue(context.id) { try await next(request, context) }
        if let field = Self.field { response.headers[field] = context.id }
        return response
    }
}
