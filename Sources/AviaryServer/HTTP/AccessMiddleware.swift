import AccountsFeature
import AviaryDomain
import HTTPTypes
import Hummingbird

/// Lets nobody in who is not signed in, but to the few routes that are for everyone: whatever route is added is closed until
/// it is named there. An account that lacks the second factor of its role reaches only the form that sets one up.
struct AccessMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    /// Of the application's own routes, those that are for everyone.
    let openRoutes: Set<String>
    let tokens: CSRFTokens

    /// The admin's.
    static let openPaths: Set<String> = ["/", "/login", LanguageChoice.path, AssetRoutes.path]
    /// Where sheets are sent to: the form of a session that ran out is still kept as a draft.
    static let draftPaths: Set<String> = ["/admin/{model}", "/admin/{model}/{id}", draftPath]
    static let draftPath = "/admin/{model}/draft"
    /// The routes of an account that lacks the second factor of its role.
    static let setUpPaths: Set<String> = [AccountPaths.secondFactor, AccountPaths.signOut]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let principal = context.session.principal, principal.lacksSecondFactor {
            return try await handle(request, contextOfLacking: context, next: next)
        }
        guard !isOpen(request, context), context.session.principal == nil else {
            return try await next(request, context)
        }
        if case .ended = context.session.state, request.method == .post, Self.draftPaths.contains(context.route) {
            return try await next(request, context)
        }
        if let form = tokens.resend(request, context) { throw RequestRefusal.signedOut(form) }
        return .signInNeeded(
            for: request, returningTo: request.method == .get || request.method == .head ? request.uri.string : nil)
    }

    private func handle(
        _ request: Request, contextOfLacking context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if isOwnAndOpen(request, context) {
            // To a route that is for everyone the account is nobody: what its role may do waits for the factor.
            var context = context
            context.session.state = .anonymous
            return try await next(request, context)
        }
        if isOpen(request, context) || Self.setUpPaths.contains(context.route) {
            return try await next(request, context)
        }
        guard request.method == .get || request.method == .head, !request.wantsJSON else {
            throw RequestRefusal.secondFactorNeeded
        }
        return .seeOther(AccountPaths.secondFactor)
    }

    private func isOpen(_ request: Request, _ context: Context) -> Bool {
        guard let path = context.endpointPath else { return true }  // there is nothing: the answer says so
        return Self.openPaths.contains(path) || HealthRoutes.paths.contains(path) || isOwnAndOpen(request, context)
    }

    private func isOwnAndOpen(_ request: Request, _ context: Context) -> Bool {
        context.endpointPath.map { openRoutes.contains("\(request.method.rawValue) \($0)") } ?? false
    }
}

extension Response {
    /// Leads to the form for signing in, and from there back; a script is told.
    static func signInNeeded(for request: Request, returningTo path: String?) -> Response {
        let target = AccountPaths.signIn(returningTo: path.flatMap { LocalPath($0) })
        guard request.wantsJSON else { return .seeOther(target) }
        var response = Response.json(
            [
                "error": localized(
                    "You are signed out. Sign in again; what you typed stays here until you leave the page."),
                "signIn": target,
            ],
            status: .unauthorized
        )
        // RFC 9110, section 11.6.1, wants a challenge; there is no scheme for a form.
        response.headers[.wwwAuthenticate] = "Form"
        return response
    }
}
