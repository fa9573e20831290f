import HTTPTypes
import Hummingbird

/// Refuses a request whose `Host` is missing, repeated or not ours.
struct HostMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let allowedHosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // The first Host header becomes the authority; further ones stay among the headers.
        guard let authority = request.head.authority, let host = HTTPField.Name("Host"),
            !request.headers.contains(host),
            allowedHosts.contains(authority) || isProbe(request, of: authority)
        else { throw RequestRefusal.unknownHost }
        return try await next(request, context)
    }

    /// Whether a program asks past a proxy how the server is: that needs no public address.
    private func isProbe(_ request: Request, of authority: String) -> Bool {
        HealthRoutes.paths.contains(request.uri.path) && allowedHosts.isDirect(authority)
    }
}
