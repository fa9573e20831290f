import ActivityFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// A coordinator for the pages of the history: all activity, one record, one commit, and the events.
struct ActivityCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try query(context), scope = site.activityScope(of: try context.principal)
        if let record = query.record, let slug = query.model {
            return try await history(of: record, slug, before: query.before, scope: scope, request, context)
        }
        // The status comes first: a history that is read without it is complete.
        let status = await site.container.longChange()
        var model = try ActivityViewModel(
            query: query, scope: scope, policy: site.container.historyPolicy, history: site.container.history,
            at: site.now(), during: status,
            imports: { [accounts = site.container.accounts] in try await accounts.imports(in: $0) }
        )
        await model.load()
        let progress = status.map { [LongChangeNotice($0, in: scope).notice(csrf: csrf(context))] } ?? []
        // A filter that somebody enters would be lost.
        let isRefreshed = status != nil && !query.isFiltered && query.before == nil
        return try await page(
            ActivityView(model: model, csrf: csrf(context), notices: progress + (try await notices(request, context))),
            title: ActivityView.title,
            isReadable: model.errorMessage == nil, context: context
        ).autoRefreshing(while: isRefreshed)
    }

    /// Stops a large delete or undo that is not committed yet, so that nothing of it is done.
    func stop(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        guard principal.may(.activity) else { throw AccessError.forbidden }
        guard let changeSet = context.form.value("changeset").flatMap({ UUID(canonicalText: $0) }) else {
            throw PageError.malformedForm
        }
        // A change that has ended or is committed meanwhile is shown as it is.
        guard let status = await site.container.longChange(), status.changeSet == changeSet, status.canBeStopped else {
            return .seeOther(ActivityPaths.all)
        }
        guard LongChangeNotice(status, in: site.activityScope(of: principal)).canBeStopped else {
            throw AccessError.forbidden
        }
        let log = try OperationLog(context)
        do {
            try await site.container.stopLongChange(changeSet)
        } catch {
            throw PageError(
                status: .serviceUnavailable, title: localized("Couldn’t stop the change"),
                text: localized("The server can’t be reached right now. Try again in a moment."),
                backTitle: localized("Show all activity"), backPath: ActivityPaths.all, retryAfter: 2)
        }
        log.note(
            "a large change was stopped",
            ["author": "\(status.author)", "changeSet": "\(changeSet.canonicalText)", "rows": "\(status.total)"])
        return .seeOther(ActivityPaths.all)
    }

    private func history(
        of record: UUID, _ slug: String, before: Int64?, scope: ActivityScope, _ request: Request,
        _ context: AdminRequestContext
    ) async throws -> Response {
        var model = try RecordHistoryViewModel(
            record, model: slug, before: before, scope: scope, policy: site.container.historyPolicy,
            history: site.container.history, at: site.now()
        )
        await model.load()
        guard model.isKnown else {
            throw PageError.noSuchRecord(
                model.schema.singularName, backTitle: localized("Show all activity"), backPath: ActivityPaths.all
            )
        }
        return try await page(
            RecordHistoryView(model: model, csrf: csrf(context), notices: try await notices(request, context)),
            title: RecordHistoryView.title(of: model), isReadable: model.errorMessage == nil, context: context
        )
    }

    func showCommit(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let scope = site.activityScope(of: try context.principal)
        guard let number = context.parameters.get("commit").flatMap({ Int64($0) }) else { throw noSuchStep }
        let after = try place(context) { Int64($0) }
        let model: CommitViewModel
        do {
            let status = await site.container.longChange()
            model = try await mappingReadErrors {
                try await CommitViewModel(
                    number, after: after, scope: scope, history: site.container.history, during: status
                )
            }
        } catch AccessError.hidden {
            throw noSuchStep
        }
        return try await page(
            CommitView(model: model, csrf: csrf(context), notices: try await notices(request, context)),
            title: CommitView.title(of: model),
            context: context
        )
    }

    func showEvents(_ request: Request, context: AdminRequestContext) async throws -> Response {
        var model = try EventsViewModel(
            query: try query(context), after: try place(context) { FetchCursor($0) }, principal: try context.principal,
            accounts: site.container.accounts
        )
        do {
            try await model.load()
        } catch {
            throw unreadable("after")
        }
        return try await page(
            EventsView(model: model, schema: site.schema), title: EventsView.title,
            isReadable: model.errorMessage == nil, context: context
        )
    }

    private func query(_ context: AdminRequestContext) throws -> ActivityQuery {
        do throws(ActivityQueryError) {
            return try ActivityQuery(context.query)
        } catch {
            throw unreadable(error.name)
        }
    }

    /// Returns the cursor at which the previous page ended.
    private func place<Place>(_ context: AdminRequestContext, _ read: (String) -> Place?) throws -> Place? {
        guard let text = context.query.value("after") else { return nil }
        guard let place = read(text) else { throw unreadable("after") }
        return place
    }

    private func unreadable(_ name: String) -> PageError {
        let isDay = ["from", "to"].contains(name)
        return PageError(
            status: .badRequest, title: localized("Invalid address"),
            text: isDay
                ? localized("The value of “\(name)” in the address is not a date. Write dates like 2026-11-20.")
                : PageError.unreadableAddress(name).text,
            backTitle: localized("Show all activity"), backPath: ActivityPaths.all
        )
    }

    private var noSuchStep: PageError {
        PageError(
            status: .notFound, title: localized("This step doesn’t exist"),
            text: localized("The step is too old for the history, or the address is wrong."),
            backTitle: localized("Show all activity"), backPath: ActivityPaths.all
        )
    }

    private func csrf(_ context: AdminRequestContext) -> String { site.tokens.token(for: context.session) }

    private func notices(_ request: Request, _ context: AdminRequestContext) async throws -> [Notice] {
        try await FlashMessage(site: site).notices(context, back: request.uri.string)
    }

    private func page(
        _ view: some Component, title: String, isReadable: Bool = true, context: AdminRequestContext
    ) async throws -> Response {
        var response = pages.page(
            title: title, at: .activity, principal: try context.principal, csrf: csrf(context),
            status: isReadable ? .ok : .serviceUnavailable
        ) { $0.render(view) }
        if !isReadable { response.headers[.retryAfter] = "2" }
        return response
    }
}

/// The routes for the history and for undo.
struct ActivityRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func add(to router: Router<AdminRequestContext>) {
        let activity = ActivityCoordinator(site: site, pages: pages)
        router.get("/admin/activity") { request, context in try await activity.show(request, context: context) }
        router.get("/admin/activity/events") { request, context in
            try await activity.showEvents(request, context: context)
        }
        router.get("/admin/activity/:commit") { request, context in
            try await activity.showCommit(request, context: context)
        }
        router.post("/admin/activity/stop") { request, context in try await activity.stop(request, context: context) }
        let undo = UndoCoordinator(site: site, pages: pages)
        router.post("/admin/undo/:commit") { request, context in try await undo.undo(request, context: context) }
    }
}

/// A coordinator for the overview.
struct DashboardCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: principal.draftOwner))
        let csrf = site.tokens.token(for: context.session)
        let banners = DraftBanners(
            site: site, browserDrafts: browserDrafts, csrf: csrf, place: .overview, discarded: context.discardedDraft)
        var model = DashboardViewModel(
            scope: site.activityScope(of: principal), policy: site.container.historyPolicy, at: site.now(),
            longChange: { [container = site.container] in await container.longChange() })
        await model.load(history: site.container.history, figures: site.figures, health: site.health)
        let news = try await FlashMessage(site: site).notices(context)
        var response = pages.page(
            title: DashboardView.title, at: .overview, principal: principal, csrf: csrf, notices: news + banners.notices
        ) { $0.render(DashboardView(model: model, banners: banners.banners())) }
        for cookie in site.drafts.expire(browserDrafts.settled + browserDrafts.unreadable) {
            response.setCookie(cookie)
        }
        return response
    }
}
