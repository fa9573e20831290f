import AccountsFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird

/// A coordinator for the pages of all accounts.
struct AccountsCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func list(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        let model = try await mappingReadErrors {
            try await AccountListViewModel(
                principal: principal, accounts: site.container.accounts, after: context.query.value("after")
            )
        }
        return try await page(AccountListView(model: model), title: AccountListView.title, context: context)
    }

    func askNew(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let model = try NewAccountViewModel(principal: try context.principal, accounts: site.container.accounts)
        return try await page(
            NewAccountView(model: model, csrf: csrf(context)), title: NewAccountView.title, context: context)
    }

    func add(_ request: Request, context: AdminRequestContext) async throws -> Response {
        var model = try NewAccountViewModel(principal: try context.principal, accounts: site.container.accounts)
        let (name, role) = (context.form.value("name") ?? "", context.form.value("role") ?? "")
        var outcome = model.check(name: name, role: role)
        if outcome == .done {
            let question = try await stepUp(nil, AccountPaths.all, cancel: AccountPaths.new, context)
            if let question { return question }
            outcome = await model.make(name: name, role: role, at: site.now(), makeLink: try maker(context))
        }
        guard outcome == .done, let account = model.account else {
            return try await page(
                NewAccountView(model: model, csrf: csrf(context)), title: NewAccountView.title, outcome,
                context: context
            )
        }
        guard let link = model.link else { return .seeOther(AccountPaths.account(account.name)) }
        return try await page(link, of: account, isNew: true, request, context)
    }

    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let model = try await account(context)
        let news = context.query.value("done").flatMap { AccountAction(rawValue: $0) }
        return try await page(
            AccountView(model: model, csrf: csrf(context), news: news), title: model.account.name, context: context
        )
    }

    func change(_ request: Request, context: AdminRequestContext) async throws -> Response {
        var model = try await account(context)
        guard let action = context.form.value("action").flatMap({ AccountAction(rawValue: $0) }) else {
            throw PageError.malformedForm
        }
        let path = AccountPaths.account(model.account.name)
        let grant: StepUpView.Grant? = action == .link ? .link(account: model.account.name) : nil
        if action.needsStepUp, !model.isOwn, let question = try await stepUp(grant, path, cancel: path, context) {
            return question
        }
        let outcome = await model.perform(
            action, role: context.form.value("role"), from: context.clientName, makeLink: try maker(context))
        guard outcome == .done else {
            return try await page(
                AccountView(model: model, csrf: csrf(context)), title: model.account.name, outcome, context: context
            )
        }
        guard let link = model.link else { return .seeOther(action.path(of: model.account.name)) }
        return try await page(link, of: model.account, isNew: false, request, context)
    }

    private func account(_ context: AdminRequestContext) async throws -> AccountViewModel {
        let principal = try context.principal
        guard let name = context.parameters.get("name")?.removingPercentEncoding else { throw PageError.notFound }
        do {
            return try await mappingReadErrors {
                try await AccountViewModel(
                    name: name, principal: principal, accounts: site.container.accounts, limits: site.sessions.limits,
                    at: site.now()
                )
            }
        } catch AccountError.notFound {
            throw PageError(
                status: .notFound, title: localized("This account doesn’t exist"),
                text: localized("Check the address."),
                backTitle: localized("Show all accounts"), backPath: AccountPaths.all
            )
        }
    }

    private func stepUp(
        _ grant: StepUpView.Grant?, _ action: String, cancel: String, _ context: AdminRequestContext
    ) async throws -> Response? {
        try await StepUp(site: site, pages: pages).question(
            grant, before: action, cancelPath: cancel, at: .accounts, context: context)
    }

    private func maker(_ context: AdminRequestContext) throws -> @Sendable (Account) async throws -> String {
        let (container, author, address) = (site.container, try context.principal.name, context.clientName)
        return { try await container.makeLink(for: $0, by: author, from: address) }
    }

    /// Returns the page with a new link. The link appears only in this answer, which is not cached, and never in an
    /// address or a log.
    private func page(
        _ path: String, of account: Account, isNew: Bool, _ request: Request, _ context: AdminRequestContext
    ) async throws -> Response {
        try await page(
            AccountLinkView(account: account, link: site.origin(of: request) + path, isNew: isNew),
            title: AccountLinkView.title,
            context: context
        )
    }

    private func csrf(_ context: AdminRequestContext) -> String { site.tokens.token(for: context.session) }

    private func page(
        _ view: some Component, title: String, _ outcome: AccountOutcome = .done, context: AdminRequestContext
    ) async throws -> Response {
        try pages.page(view, title: title, at: .accounts, outcome, csrf: csrf(context), context: context)
    }
}

/// The routes for signing in and out, the user's own account, and all accounts.
struct AccountRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func add(to router: Router<AdminRequestContext>) {
        let signIn = SignInCoordinator(site: site, pages: pages)
        router.get("/login") { request, context in try await signIn.show(request, context: context) }
        router.post("/login") { request, context in try await signIn.signIn(request, context: context) }
        router.post("/logout") { request, context in try await signIn.signOut(request, context: context) }
        addOwn(to: router)
        addAll(to: router)
    }

    private func addOwn(to router: Router<AdminRequestContext>) {
        let own = OwnAccountCoordinator(site: site, pages: pages)
        router.get("/admin/account") { request, context in try await own.show(request, context: context) }
        router.get("/admin/account/password") { request, context in try await own.askPassword(request, context: context)
        }
        router.post("/admin/account/password") { request, context in
            try await own.changePassword(request, context: context)
        }
        router.get("/admin/account/second-factor") { request, context in
            try await own.askSecondFactor(request, context: context)
        }
        router.post("/admin/account/second-factor") { request, context in
            try await own.setUpSecondFactor(request, context: context)
        }
        router.get("/admin/account/second-factor/remove") { _, context in try await own.ask(.remove, context: context) }
        router.post("/admin/account/second-factor/remove") { _, context in
            try await own.change(.remove, context: context)
        }
        router.get("/admin/account/recovery-codes") { _, context in try await own.ask(.renewCodes, context: context) }
        router.post("/admin/account/recovery-codes") { _, context in try await own.change(.renewCodes, context: context)
        }
        router.post("/admin/account/sessions/end") { request, context in
            try await own.endSession(request, context: context)
        }
    }

    private func addAll(to router: Router<AdminRequestContext>) {
        let all = AccountsCoordinator(site: site, pages: pages)
        router.get("/admin/accounts") { request, context in try await all.list(request, context: context) }
        router.post("/admin/accounts") { request, context in try await all.add(request, context: context) }
        router.get("/admin/accounts/new") { request, context in try await all.askNew(request, context: context) }
        router.get("/admin/accounts/:name") { request, context in try await all.show(request, context: context) }
        router.post("/admin/accounts/:name") { request, context in try await all.change(request, context: context) }
    }
}

extension AdminPages {
    /// Returns a page of accounts with the HTTP status of its form's outcome.
    func page(
        _ view: some Component, title: String, at place: AdminPlace, _ outcome: AccountOutcome, csrf: String,
        context: AdminRequestContext
    ) throws -> Response {
        if outcome == .signedOut { throw PageError.signedOut }
        var response = page(
            title: title, at: place, principal: try context.principal, csrf: csrf, status: outcome.status
        ) { $0.render(view) }
        if let seconds = outcome.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}

extension AccountOutcome {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .done: .ok
        case .refused: .unprocessableContent
        case .conflict: .conflict
        case .wait: .tooManyRequests
        case .signedOut: .unauthorized
        case .unavailable: .serviceUnavailable
        }
    }

    fileprivate var retryAfter: Int? {
        switch self {
        case .wait(let seconds): seconds
        case .unavailable: 2
        case .done, .refused, .conflict, .signedOut: nil
        }
    }
}
