import AccountsFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Leads to the form for signing in, and from there to where one wanted to go; and out again.
struct SignInCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// The form, or what a link leads to.
    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        if let text = context.query.value("link") {
            guard let token = SecretToken(text) else { throw RequestRefusal.spentLink }
            let link = try await link(token)
            // Its link may be used again and again, and nothing in its store is worth guarding.
            if site.isDemo, link.account != nil {
                return try await signIn(by: link, token: nil, request: request, context: context)
            }
            return page(
                LinkView(model: link, application: site.name, token: text, csrf: csrf(context)),
                title: localized("Welcome"))
        }
        let next = context.query.value("next").flatMap { LocalPath($0) }
        guard context.session.principal == nil else { return .seeOther(next?.text ?? ModelPaths.admin) }
        return page(model(next: next, context: context), context: context)
    }

    /// What was typed, or the button of a link's page.
    func signIn(_ request: Request, context: AdminRequestContext) async throws -> Response {
        if let text = context.form.value("link") {
            guard let token = SecretToken(text) else { throw RequestRefusal.spentLink }
            return try await signIn(by: try await link(token), token: text, request: request, context: context)
        }
        let token = SecretToken()
        let visitor = visitor(token, request, context)
        var model = model(
            next: context.form.value("next").flatMap { LocalPath($0) }, context: context,
            knownBrowser: site.knownBrowsers.read(request, at: site.now())
        )
        let outcome =
            if let code = context.form.value("code") {
                await model.confirm(
                    code: code, ticket: context.form.value("ticket") ?? "", visitor: visitor, at: site.now()
                )
            } else {
                await model.signIn(
                    name: context.form.value("username") ?? "", password: context.form.value("password") ?? "",
                    visitor: visitor,
                    at: site.now()
                )
            }
        switch outcome {
        case .signedIn(let principal):
            return try signedIn(principal, token: token, next: model.next)
        case .needsCode:
            return page(model, context: context)
        case .refused:
            return page(model, context: context, status: .unprocessableContent)
        case .wait(let seconds):
            context.logger.notice(
                "signing in was refused for a while", metadata: ["seconds": .stringConvertible(seconds)])
            var response = page(model, context: context, status: .tooManyRequests)
            response.headers[.retryAfter] = String(seconds)
            return response
        case .unavailable:
            var response = page(model, context: context, status: .serviceUnavailable)
            response.headers[.retryAfter] = "2"
            return response
        }
    }

    /// Ends the session, and takes its drafts out of the browser: whoever sits there next is somebody else.
    func signOut(_ request: Request, context: AdminRequestContext) async throws -> Response {
        if let principal = context.session.principal {
            do {
                try await site.container.accounts.end(
                    context.session.token.id, of: principal, at: site.now(), address: context.clientName
                )
            } catch {
                throw RequestRefusal.notSignedOut
            }
        }
        var response = Response.seeOther(AccountPaths.signIn)
        response.setCookie(site.sessions.expire())
        for (name, _) in request.cookiePairs where site.drafts.isDraftName(name) {
            response.setCookie(site.drafts.expire(name))
        }
        if context.cookies?[site.drafts.names.cancelled] != nil {
            response.setCookie(CancelledDraft.forget(site.drafts.names))
        }
        return response
    }

    private func signIn(
        by link: LinkViewModel, token text: String?, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        var link = link
        let token = SecretToken()
        let visitor = visitor(token, request, context)
        do {
            let principal: Principal?
            if let account = link.account, text == nil {
                principal = try await demo(account, visitor)
            } else if link.account != nil {
                principal = try await link.signIn(visitor: visitor, at: site.now())
            } else {
                principal = try await link.makeAdmin(
                    name: context.form.value("username") ?? "", password: context.form.value("password") ?? "",
                    repeated: context.form.value("repeated") ?? "", visitor: visitor, at: site.now()
                )
            }
            if let principal {
                // Whoever came by a link has no password yet, or has lost it.
                return try signedIn(
                    principal, token: token,
                    next: link.account == nil || text == nil ? nil : LocalPath(AccountPaths.own))
            }
        } catch AccountError.linkSpent {
            throw RequestRefusal.spentLink
        } catch let error as PasswordHashingError {
            link.say(error.message)
        } catch {
            throw RequestRefusal.unreadable
        }
        return page(
            LinkView(model: link, application: site.name, token: text ?? "", csrf: csrf(context)),
            title: localized("Welcome"),
            status: .unprocessableContent
        )
    }

    private func demo(_ account: Account, _ visitor: Visitor) async throws -> Principal? {
        let now = site.now()
        try await site.container.accounts.begin(
            visitor.session(of: account, at: now), of: account, replacing: visitor.old, at: now)
        return site.container.accounts.principal(of: account)
    }

    private func link(_ token: SecretToken) async throws -> LinkViewModel {
        do {
            return try await LinkViewModel(
                id: token.id, accounts: site.container.accounts, passwords: site.passwords, at: site.now()
            )
        } catch AccountError.linkSpent {
            throw RequestRefusal.spentLink
        } catch {
            throw RequestRefusal.unreadable
        }
    }

    private func signedIn(_ principal: Principal, token: SecretToken, next: LocalPath?) throws -> Response {
        var response = Response.seeOther(next?.text ?? ModelPaths.admin)
        // A session of its own: what was known of the one before is worth nothing (fixation).
        response.setCookie(site.sessions.keep(.begin(.signedIn(principal), token: token)))
        response.setCookie(try site.knownBrowsers.keep(KnownBrowser(name: principal.name, at: site.now())))
        return response
    }

    private func visitor(_ token: SecretToken, _ request: Request, _ context: AdminRequestContext) -> Visitor {
        Visitor(
            session: token.id, address: context.clientName, userAgent: request.headers[.userAgent] ?? "",
            network: context.client?.network, replacing: context.session.principal.map { _ in context.session.token.id }
        )
    }

    private func model(next: LocalPath?, context: AdminRequestContext, knownBrowser: KnownBrowser? = nil)
        -> SignInViewModel
    {
        SignInViewModel(
            next: next, accounts: site.container.accounts, passwords: site.passwords,
            oneTimePasswords: site.oneTimePasswords,
            tickets: SessionTickets(keys: site.container.keys, session: context.session.token),
            attemptID: site.attemptID,
            knownBrowser: knownBrowser
        )
    }

    private func csrf(_ context: AdminRequestContext) -> String { site.tokens.token(for: context.session) }

    private func page(
        _ model: SignInViewModel, context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        let csrf = csrf(context)
        let languages = site.language.form(csrf: csrf, returningTo: AccountPaths.signIn(returningTo: model.next))
        return pages.alone(title: localized("Sign in"), status: status) { html in
            html.render(SignInView(model: model, application: site.name, csrf: csrf))
            if let languages { html.render(languages) }
        }
    }

    private func page(_ view: some Component, title: String, status: HTTPResponse.Status = .ok) -> Response {
        pages.alone(title: title, status: status) { $0.render(view) }
    }
}
