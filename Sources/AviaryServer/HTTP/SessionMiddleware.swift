import Hummingbird

/// Continues the browser's session, or begins one with the answer.
struct SessionMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let cookieNames: CookieNames

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // Whoever watches the server has no session.
        if let route = context.endpointPath, HealthRoutes.paths.contains(route) { return try await next(request, context) }
        var context = context
        context.session = request.cookies[cookieNames.session].flatMap { Session(cookie: $0.value) } ?? .begin()
        var response = try await next(request, context)
        if context.session.isNew {
            response.setCookie(Cookie(
                name: cookieNames.session, value: context.session.cookieValue, path: "/",
                secure: cookieNames.areSecure, httpOnly: true, sameSite: .lax
            ))
        }
        return response
    }
}
