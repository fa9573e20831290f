import HTTPTypes
import Hummingbird

/// Refuses a method that the address does not have, before anything of the request's form is read.
struct MethodMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let paths: PathMethods

    /// RFC 9110, section 9.3, and PATCH.
    private static let known: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // It has found its route.
        guard context.endpointPath == nil else { return try await next(request, context) }
        guard Self.known.contains(request.method) else { throw RequestRefusal.unknownMethod }
        // Of the server as a whole (RFC 9110, section 9.3.7).
        if request.method == .options, request.head.path == "*" {
            return Response(status: .noContent, headers: [.allow: "GET, HEAD, POST"])
        }
        let allowed = paths.methods(of: request.uri.path)
        throw allowed.isEmpty ? RequestRefusal.notFound : .methodNotAllowed(allowed)
    }
}
