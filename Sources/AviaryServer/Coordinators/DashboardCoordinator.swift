import AviaryDesign
import AviaryDomain
import Hummingbird

/// Leads to the overview.
struct DashboardCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let shelf = await site.shelf(site.drafts.open(request, user: try context.principal.draftOwner))
        let csrf = site.tokens.token(for: context.session)
        let banners = DraftBanners(site: site, shelf: shelf, csrf: csrf, location: "")
        var cards: [DashboardCard] = []
        let principal = try context.principal
        for model in site.container.models where principal.may(.view, model.schema.name) {
            cards.append(DashboardCard(
                title: model.schema.pluralTitle, href: model.paths.list,
                count: try? await model.repository.count(),  // a card without a count is better than no page
                addHref: principal.may(.add, model.schema.name) ? model.paths.new : nil, addTitle: "Add \(model.schema.singularName)"
            ))
        }
        var response = await pages.page(title: "Overview", at: .overview, principal: principal, csrf: csrf, notices: banners.notices) { html in
            for banner in banners.banners() { html.render(banner) }
            html.render(Dashboard(cards: cards))
        }
        for name in shelf.unreadable + shelf.settled { response.setCookie(site.drafts.expire(name)) }
        return response
    }
}
