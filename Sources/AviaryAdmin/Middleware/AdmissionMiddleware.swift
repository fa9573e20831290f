import AviaryHTTP
import AviaryLocalization
import HTTPTypes
import Hummingbird

/// A middleware that answers with 503 at once when the process is at its limit, before it reads anything of the
/// request.
///
/// It always admits monitoring requests, which ask whether the process is busy.
struct AdmissionMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let admission: RequestAdmission
    let pages: AdminPages

    private static let watchers: Set<String> = ["/healthz", "/readyz", "/metrics"]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard !Self.watchers.contains(request.uri.path) else { return try await next(request, context) }
        let isChange = request.method != .get && request.method != .head
        guard let ticket = AdmissionTicket(admission, isChange: isChange) else { return refusal(of: request, context) }
        defer { ticket.leave() }
        var context = context
        context.admission = ticket
        return try await next(request, context)
    }

    // The refusal is not thrown to the error middleware: a log line for each refused request would add to the
    // load.
    private func refusal(of request: Request, _ context: Context) -> Response {
        let refusal = PageError.busy
        var response =
            request.wantsJSON
            ? Response.json(["error": refusal.text], status: refusal.status)
            : pages.error(refusal, for: nil, reference: context.id)
        response.headers[.retryAfter] = refusal.retryAfter.map(String.init)
        return response
    }
}

extension PageError {
    static var busy: PageError {
        PageError(
            status: .serviceUnavailable, title: localized("The server is busy"),
            text: localized("Nothing was changed. Try again in a few seconds."),
            retryAfter: 2, isLogged: false
        )
    }
}

/// A middleware that rejects a request whose `Host` is missing, repeated or unknown.
struct HostMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let allowedHosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // The first Host header becomes the authority; further ones remain among the headers.
        guard let authority = request.head.authority, let host = HTTPField.Name("Host"),
            !request.headers.contains(host),
            allowedHosts.contains(authority) || isProbe(request, of: authority)
        else { throw PageError.unknownHost }
        return try await next(request, context)
    }

    /// Returns whether the request is a health check that bypasses a proxy, which needs no public address.
    private func isProbe(_ request: Request, of authority: String) -> Bool {
        HealthRoutes.paths.contains(request.uri.path) && allowedHosts.isDirect(authority)
    }
}
