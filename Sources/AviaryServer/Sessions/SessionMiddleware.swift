import AviaryDomain
import Foundation
import Hummingbird
import Logging

/// Finds out who asks: by the session's cookie, the session and its account as they are stored at this moment. So a session
/// that was ended, or an account that was disabled, is worth nothing in every worker from then on.
struct SessionMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let cookies: SessionCookies
    let accounts: AccountRepository
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
        if !session.isNew { session.state = try await state(of: session, context: context) }
        context.session = session
        var response = try await next(request, context)
        // Whoever has just been signed in or out has another by now.
        if session.isNew, !cookies.isSet(in: response) { response.setCookie(cookies.keep(session)) }
        return response
    }

    private func state(of session: Session, context: Context) async throws -> Session.State {
        let found: (session: AccountSession, account: Account)?
        do {
            found = try await accounts.session(session.token.id)
        } catch {
            throw RequestRefusal.unreadable
        }
        guard let (stored, account) = found, let principal = accounts.principal(of: account) else { return .anonymous }
        let now = now()
        guard !limits.isOver(stored, at: now) else {
            return limits.isForgotten(stored, at: now) ? .anonymous : .ended(principal)
        }
        if limits.isDue(stored, at: now) { touch(stored, at: now, context: context) }
        return .signedIn(principal)
    }

    /// Beside the answer: reading must not wait for a store that is away.
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
