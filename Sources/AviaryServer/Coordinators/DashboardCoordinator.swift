import ActivityFeature
import AviaryDesign
import AviaryDomain
import Hummingbird

/// Leads to the overview.
struct DashboardCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        let shelf = await site.shelf(site.drafts.open(request, user: principal.draftOwner))
        let csrf = site.tokens.token(for: context.session)
        let banners = DraftBanners(
            site: site, shelf: shelf, csrf: csrf, place: .overview, discarded: context.discardedDraft)
        var model = DashboardViewModel(scope: site.activityScope(of: principal), at: site.now())
        await model.load(history: site.container.history, figures: site.figures, health: site.health)
        let news = try await CommitNews(site: site).notices(context)
        var response = await pages.page(
            title: DashboardView.title, at: .overview, principal: principal, csrf: csrf, notices: news + banners.notices
        ) { $0.render(DashboardView(model: model, banners: banners.banners())) }
        for cookie in site.drafts.expire(shelf.settled + shelf.unreadable) { response.setCookie(cookie) }
        return response
    }
}
