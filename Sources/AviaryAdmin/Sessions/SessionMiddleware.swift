import AccountsFeature
import AviaryDomain
import AviaryHTTP
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// A middleware that identifies the requesting person by the session's cookie.
///
/// It reads the session and its account from the store, and keeps them until the store's next commit. A session that
/// was ended, or an account that was disabled, therefore becomes invalid in every worker at once.
struct SessionMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let cookies: SessionCookies
    let accounts: AccountRepository
    let known: CommitCache<UUID, KnownSession>
    let clients: ClientAddresses
    var limits = SessionLimits()
    var now: @Sendable () -> Date = { Date() }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard !context.isImpersonal else { return try await next(request, context) }
        var context = context
        context.client = clients.client(of: request, peer: context.peer?.ipAddress.flatMap { IPAddress($0) })
        let sent = context.cookies ?? request.cookies
        context.cookies = sent
        var session = sent[cookies.names.session].flatMap { Session(cookie: $0.value) } ?? .begin()
        if !session.isNew { try await identify(&session, context: context) }
        context.session = session
        var response = try await next(request, context)
        // A request that signs in or out has set a cookie of its own.
        if session.isNew, !cookies.isSet(in: response) { response.setCookie(cookies.keep(session)) }
        return response
    }

    private func identify(_ session: inout Session, context: Context) async throws {
        guard let (stored, principal) = try await find(session.token.id) else { return }
        let now = now()
        guard !limits.isOver(stored, at: now) else {
            if !limits.isForgotten(stored, at: now) { session.state = .ended(principal) }
            return
        }
        if limits.isDue(stored, at: now) { touch(stored, at: now, context: context) }
        session.state = .signedIn(principal)
        session.times = limits.unchangedTimes(of: stored, at: now)
    }

    private func find(_ id: UUID) async throws(PageError) -> (AccountSession, Principal)? {
        let version = known.version
        if let version, let session = known.value(id, in: version) { return (session.stored, session.principal) }
        let found: (session: AccountSession, account: Account)?
        do {
            found = try await accounts.session(id)
        } catch {
            throw .unreadable
        }
        guard let (stored, account) = found, let principal = accounts.principal(of: account) else { return nil }
        if let version { known.keep(KnownSession(stored: stored, principal: principal), for: id, since: version) }
        return (stored, principal)
    }

    /// Records that the session was seen, in a task of its own: the response must not wait for a store that is
    /// away.
    private func touch(_ session: AccountSession, at now: Date, context: Context) {
        let address = context.clientName
        Task {
            do {
                try await accounts.touch(session, at: now, address: address)
            } catch {
                // The next request tries again.
                context.logger.debug("a session could not be noted as seen", error: error)
            }
        }
    }
}

/// A session of the store and the person whom it belongs to.
struct KnownSession: Sendable {
    /// The largest number of sessions that a worker keeps.
    static let limit = 1000

    let stored: AccountSession
    let principal: Principal
}

/// A middleware that admits only people who are signed in, except on the few open routes.
///
/// Every added route is closed until it is listed here.
///
/// An account that lacks the second factor of its role can only reach the form that sets one up.
struct AccessMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    /// The application's own routes that are open to everyone.
    let openRoutes: Set<String>
    let tokens: CSRFTokens

    /// The admin's routes that are open to everyone.
    static let openPaths: Set<String> = ["/", "/login", LanguageChoice.path, AssetRoutes.path]
    /// The routes that receive sheets. A sheet whose session has expired is still kept as a draft.
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
        if let form = tokens.resend(request, context) { throw PageError.signedOut(form) }
        return .signInNeeded(
            for: request, returningTo: request.method == .get || request.method == .head ? request.uri.string : nil)
    }

    private func handle(
        _ request: Request, contextOfLacking context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if isOwnAndOpen(request, context) {
            // An open route treats the account as anonymous: the rights of its role require the second factor.
            var context = context
            context.session.state = .anonymous
            return try await next(request, context)
        }
        if isOpen(request, context) || Self.setUpPaths.contains(context.route) {
            return try await next(request, context)
        }
        guard request.method == .get || request.method == .head, !request.wantsJSON else {
            throw PageError.secondFactorNeeded
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
    /// Redirects to the sign-in form, which leads back afterwards. A script receives the address as JSON.
    static func signInNeeded(for request: Request, returningTo path: String?) -> Response {
        let target = AccountPaths.signIn(returningTo: path.flatMap { LocalPath($0) })
        guard request.wantsJSON else { return .seeOther(target) }
        var response = Response.json(
            [
                "error": localized(
                    "You’re signed out. Sign in again. Your changes stay here until you leave the page."),
                "signIn": target,
            ],
            status: .unauthorized
        )
        // RFC 9110, section 11.6.1, requires a challenge; there is no scheme for a form.
        response.headers[.wwwAuthenticate] = "Form"
        return response
    }
}
