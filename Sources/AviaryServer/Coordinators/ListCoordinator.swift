import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import HTTPTypes
import Hummingbird

/// Leads to the list of a model, alone or behind a sheet.
struct ListCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// So many cookies are taken away with an answer; a proxy has room for few headers, and the next answer takes more.
    private static let mostForgotten = 12

    /// The list that the address asks for.
    func show(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try query(context.query, of: model)
        let shelf = await site.shelf(site.drafts.open(request, user: try context.principal.draftOwner))
        return try await page(model, query: query, shelf: shelf, context: context)
    }

    /// The list behind a sheet, or below news.
    func page(
        _ model: AdminModel, query: ListQuery, shelf: DraftShelf, context: AdminRequestContext,
        status: HTTPResponse.Status = .ok, title: String? = nil, open draft: UUID? = nil,
        notices: [Notice] = [], sheet: ((inout HTML) -> Void)? = nil
    ) async throws -> Response {
        var list = try ListViewModel(
            configuration: model.configuration, query: query, repository: model.repository, principal: try context.principal
        )
        await list.load()
        let csrf = site.tokens.token(for: context.session)
        let banners = DraftBanners(site: site, shelf: shelf, csrf: csrf, location: list.location)
        let view = ListView(
            model: list, banners: banners.banners(of: model, besides: draft), notices: notices + banners.notices
        )
        var response = await pages.page(
            title: title ?? model.schema.pluralTitle, at: .model(model.schema.name), principal: list.principal, csrf: csrf, status: status, sheet: sheet
        ) { $0.render(view) }
        // What cannot be opened or is settled is forgotten; a sheet's own draft is left to its coordinator.
        for name in (shelf.unreadable + shelf.settled).prefix(Self.mostForgotten) { response.setCookie(site.drafts.expire(name)) }
        return response
    }

    /// - Throws: ``RequestRefusal`` with status 404 for a column or a place that does not exist.
    func query(_ fields: [FormField], of model: AdminModel) throws -> ListQuery {
        do {
            return try ListQuery(fields, for: model.configuration)
        } catch {
            throw RequestRefusal(
                status: .notFound, title: "This list does not exist",
                text: "The address names a column, a place or a page size that the list does not have.",
                backTitle: "Show all \(model.schema.pluralName)", backPath: model.paths.list
            )
        }
    }

    /// The part of the list that a form was opened from; the first page when it says nothing usable.
    func returnQuery(_ form: [FormField], of model: AdminModel) -> ListQuery {
        let fields = (try? FormEncoding.decode((form.value("return") ?? "").utf8)) ?? []  // only comfort is lost
        return (try? ListQuery(fields, for: model.configuration))  // as above
            ?? ListQuery(sort: model.configuration.defaultSort ?? ListOrder(property: "", direction: .ascending))
    }
}
