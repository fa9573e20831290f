import AccountsFeature
import AviaryDesign
import AviaryDomain
import AviaryHTTP
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// A coordinator for signing in, with a redirect to the requested page, and for signing out.
struct SignInCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// Shows the sign-in form, or the page of a link that sets a password.
    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        if let text = context.query.value("link") {
            guard let token = SecretToken(text) else { throw PageError.spentLink }
            let link = try await link(token)
            // The link of the demo works repeatedly, because its store contains only sample data.
            if site.isDemo, let account = link.account, account.name == InitialSignIn.demoName {
                return try await signIn(asDemo: account, request: request, context: context)
            }
            return page(
                LinkView(model: link, application: site.name, token: text, csrf: csrf(context)),
                title: localized("Welcome"))
        }
        let next = context.query.value("next").flatMap { LocalPath($0) }
        guard context.session.principal == nil else { return .seeOther(next?.text ?? ModelPaths.admin) }
        return page(model(next: next, context: context), context: context)
    }

    /// Handles the submitted sign-in form, or the form of a link's page.
    func signIn(_ request: Request, context: AdminRequestContext) async throws -> Response {
        if let text = context.form.value("link") {
            guard let token = SecretToken(text) else { throw PageError.spentLink }
            return try await use(try await link(token), token: text, request: request, context: context)
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
            // The page of the account comes first if others have changed it meanwhile.
            guard await hasNews(principal, context) else {
                return try signedIn(principal, token: token, next: model.next)
            }
            let news = LocalPath(AccountPaths.own(before: model.next)) ?? LocalPath(AccountPaths.own)
            return try signedIn(principal, token: token, next: news)
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

    /// Ends the session and removes its drafts from the browser, which somebody else may use next.
    func signOut(_ request: Request, context: AdminRequestContext) async throws -> Response {
        if let principal = context.session.principal {
            do {
                try await site.container.accounts.end(
                    context.session.token.id, of: principal, at: site.now(), address: context.clientName
                )
            } catch {
                throw PageError.notSignedOut
            }
        }
        var response = Response.seeOther(AccountPaths.signIn)
        // Cookies remain: they hold the browser's language and mark it as known to the account.
        if let name = HTTPField.Name("Clear-Site-Data") { response.headers[name] = #""cache", "storage""# }
        response.setCookie(site.sessions.expire())
        // The account's own drafts come first. There are few of them, and other cookies with such a name contain no
        // text of the user.
        let own = context.session.principal.map { site.drafts.open(request, user: $0.draftOwner).drafts.map(\.cookie) }
        let others = request.cookiePairs.map(\.name).filter(site.drafts.isDraftName)
        for cookie in site.drafts.expire((own ?? []) + others) { response.setCookie(cookie) }
        if context.cookies?[site.drafts.names.cancelled] != nil {
            response.setCookie(CancelledDraftCookie.forget(site.drafts.names))
        }
        return response
    }

    /// Handles the submitted form of a link's page.
    private func use(
        _ link: LinkViewModel, token text: String, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        var link = link
        let token = SecretToken(), visitor = visitor(token, request, context)
        func typed(_ name: String) -> String { context.form.value(name) ?? "" }
        do {
            let outcome =
                if link.account != nil {
                    try await link.choose(
                        password: typed("password"), repeated: typed("repeated"), visitor: visitor, at: site.now())
                } else {
                    try await link.makeAdmin(
                        name: typed("username"), password: typed("password"), repeated: typed("repeated"),
                        visitor: visitor, at: site.now())
                }
            switch outcome {
            case .signedIn(let principal):
                // The account page shows the owner who created the link, and offers to set up a second factor.
                return try signedIn(
                    principal, token: token, next: link.account.flatMap { _ in LocalPath(AccountPaths.own) })
            case .needsCode(let ticket):
                var model = model(next: LocalPath(AccountPaths.own), context: context)
                model.ask(for: ticket)
                return page(model, context: context)
            case .refused: break
            }
        } catch AccountError.linkSpent {
            throw PageError.spentLink
        } catch let error as PasswordHashingError {
            link.addMessage(error.message)
        } catch {
            throw PageError.unreadable
        }
        return page(
            LinkView(model: link, application: site.name, token: text, csrf: csrf(context)),
            title: localized("Welcome"),
            status: .unprocessableContent
        )
    }

    private func signIn(
        asDemo account: Account, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        let token = SecretToken(), now = site.now(), visitor = visitor(token, request, context)
        guard let principal = site.container.accounts.principal(of: account) else { throw PageError.spentLink }
        do {
            try await site.container.accounts.begin(
                visitor.session(of: account, at: now), of: account, replacing: visitor.old, at: now)
        } catch {
            throw PageError.unreadable
        }
        return try signedIn(principal, token: token, next: nil)
    }

    /// Returns whether other users have changed the account's credentials, so that its owner should look at the
    /// account page.
    private func hasNews(_ principal: Principal, _ context: AdminRequestContext) async -> Bool {
        do {
            return try await AccountAct.areNews(to: principal, in: site.container.accounts, at: site.now())
        } catch {
            // The account page shows the changes too, so this error does not prevent signing in.
            context.logger.warning("what was done to an account could not be read at its sign-in", error: error)
            return false
        }
    }

    private func link(_ token: SecretToken) async throws -> LinkViewModel {
        do {
            return try await LinkViewModel(
                id: token.id, accounts: site.container.accounts, passwords: site.passwords, application: site.name,
                at: site.now()
            )
        } catch AccountError.linkSpent {
            throw PageError.spentLink
        } catch {
            throw PageError.unreadable
        }
    }

    private func signedIn(_ principal: Principal, token: SecretToken, next: LocalPath?) throws -> Response {
        var response = Response.seeOther(next?.text ?? ModelPaths.admin)
        // The session is new, so that a token from before the sign-in is worthless (session fixation).
        response.setCookie(site.sessions.keep(.begin(.signedIn(principal), token: token)))
        response.setCookie(try site.knownBrowsers.keep(RecognizedBrowser(name: principal.name, at: site.now())))
        return response
    }

    private func visitor(_ token: SecretToken, _ request: Request, _ context: AdminRequestContext) -> ClientInfo {
        ClientInfo(
            session: token.id, address: context.clientName, userAgent: request.headers[.userAgent] ?? "",
            network: context.client?.network, replacing: context.session.principal.map { _ in context.session.token.id }
        )
    }

    private func model(next: LocalPath?, context: AdminRequestContext, knownBrowser: RecognizedBrowser? = nil)
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
