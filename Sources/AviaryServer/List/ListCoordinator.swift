import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Leads to the list of a model, alone or behind a sheet.
struct ListCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// The list that the address asks for.
    func show(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try query(context.query, of: model), panel = ListPanel(context.query)
        if panel == nil, let name = context.query.value(ListPanel.field), !name.isEmpty {
            throw RequestRefusal.unreadableAddress(ListPanel.field).leading(to: model)
        }
        let shelf = await site.shelf(site.drafts.open(request, user: try context.principal.draftOwner))
        let news = try await CommitNews(site: site).notices(context, back: request.uri.string, of: model)
        return try await page(
            model, query: query, shelf: shelf, context: context, notices: news, panel: panel
        )
    }

    /// Remembers which columns this browser shows.
    func chooseColumns(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        try context.principal.check(.view, model.schema)
        let query = returnQuery(context.form, of: model)
        let chosen = ChosenColumns(names: site.sessions.names, model: model.schema)
        let names = context.form.values("column").filter(model.configuration.columns.contains)
        var response = Response.seeOther(model.paths.list.withQuery(query.text(for: model.configuration)))
        // The first is always shown, and so is the choice of nothing but it.
        let first = model.configuration.columns.first.map { [$0] } ?? []
        response.setCookie(
            context.form.value("all") == nil
                ? chosen.keep(first + names.filter { !first.contains($0) }) : chosen.forget())
        return response
    }

    /// The list behind a sheet, or below news.
    func page(
        _ model: AdminModel, query: ListQuery, shelf: DraftShelf, context: AdminRequestContext,
        status: HTTPResponse.Status = .ok, title: String? = nil, open draft: UUID? = nil,
        notices: [Notice] = [], panel: ListPanel? = nil, sheet: ((inout HTML) -> Void)? = nil
    ) async throws -> Response {
        var list = try viewModel(model, query: query, panel: panel, context: context)
        await list.load()
        await list.loadPanel()
        // Behind a sheet it is the sheet that was asked for.
        let isUnreadable = list.failure != nil && sheet == nil && status == .ok
        if let failure = list.failure {
            context.logger.warning(
                "a list could not be read",
                metadata: [
                    "route": "\(context.route)", "model": "\(model.schema.name)", "error": "\(failure.redactedText)",
                ])
        }
        let csrf = site.tokens.token(for: context.session)
        // Behind a sheet nobody looks for it.
        let cancelled =
            sheet == nil ? CancelledDraft(context, of: model.schema, user: list.principal.draftOwner, in: site) : nil
        let banners = DraftBanners(
            site: site, shelf: shelf, csrf: csrf, place: .list, location: list.location,
            discarded: context.discardedDraft, cancelled: cancelled
        )
        let view = ListView(
            model: list, banners: banners.banners(of: model, besides: draft), notices: notices + banners.notices,
            csrf: csrf
        )
        var response = await pages.page(
            title: title ?? model.schema.pluralTitle, at: .model(model.schema.name), principal: list.principal,
            csrf: csrf, status: isUnreadable ? .serviceUnavailable : status, sheet: sheet
        ) { $0.render(view) }
        if isUnreadable { response.headers[.retryAfter] = "2" }
        if cancelled != nil { response.setCookie(CancelledDraft.forget(site.drafts.names)) }
        // What cannot be opened or is settled is forgotten; a sheet's own draft is left to its coordinator.
        for cookie in site.drafts.expire(shelf.settled + shelf.unreadable) { response.setCookie(cookie) }
        return response
    }

    func viewModel(
        _ model: AdminModel, query: ListQuery, panel: ListPanel? = nil, context: AdminRequestContext
    ) throws -> ListViewModel {
        try ListViewModel(
            configuration: model.configuration, query: query, repository: model.repository,
            principal: try context.principal,
            panel: panel, chosenColumns: ChosenColumns(names: site.sessions.names, model: model.schema).read(context),
            others: { [container = site.container] name in container.model(named: name)?.repository }
        )
    }

    /// - Throws: ``RequestRefusal`` with status 404 for a column, a filter or a search that the list does not have, with 400 for a
    ///   place, a value or words that cannot be read: a longer list than was asked for would be the wrong answer.
    func query(_ fields: [FormField], of model: AdminModel) throws -> ListQuery {
        do {
            return try ListQuery(fields, for: model.configuration)
        } catch {
            throw RequestRefusal(error, in: fields, of: model)
        }
    }

    /// The part of the list that a form was opened from; the first page when it says nothing usable.
    func returnQuery(_ form: [FormField], of model: AdminModel) -> ListQuery {
        let fields = (try? FormEncoding.decode((form.value("return") ?? "").utf8)) ?? []  // only comfort is lost
        return (try? ListQuery(fields, for: model.configuration))  // as above
            ?? ListQuery(sort: model.configuration.defaultSort ?? ListOrder(property: "", direction: .ascending))
    }
}

extension RequestRefusal {
    fileprivate init(_ error: ListQueryError, in fields: [FormField], of model: AdminModel) {
        let back = (localized("Show all \(model.schema.pluralName)"), model.paths.list)
        let (status, title, text): (HTTPResponse.Status, String, String)
        switch error {
        case .invalidCursor:
            self = .unreadableAddress(fields.value("after") == nil ? "before" : "after").leading(to: model)
            return
        case .invalidSize:
            self = .unreadableAddress("size").leading(to: model)
            return
        case .unreadableSearch:
            self = .unreadableAddress("q").leading(to: model)
            return
        case .ambiguous(let name):
            self = .ambiguousAddress(name).leading(to: model)
            return
        case .unknownColumn:
            (status, title, text) = (
                .notFound, localized("There is no such column"),
                localized("The address sorts by a column that this list does not have, or cannot be sorted by.")
            )
        case .unknownFilter:
            (status, title, text) = (
                .notFound, localized("There is no such filter"),
                localized("The address asks for a filter that this list does not have.")
            )
        case .unreadable(let filter, let advice):
            (status, title, text) = (.badRequest, localized("This filter cannot be read"), "\(filter): \(advice)")
        case .tooManyValues(let filter):
            (status, title, text) = (
                .badRequest, localized("These are too many at once"),
                localized("\(filter): choose fewer. A filter takes up to 50.")
            )
        case .noSearch:
            (status, title, text) = (
                .notFound, localized("This list has no search"),
                localized("The address looks for words, but this list cannot be searched.")
            )
        case .searchTooLong:
            (status, title, text) = (
                .badRequest, localized("These are too many words"),
                localized("A search takes up to 200 letters. Look for less.")
            )
        }
        self.init(status: status, title: title, text: text, backTitle: back.0, backPath: back.1)
    }
}

/// Which columns of a list a browser shows: a small cookie for each model. It is nobody's secret and trusted in nothing: a
/// name that is no column's counts for nothing.
struct ChosenColumns: Sendable {
    let names: CookieNames
    let model: ModelSchema

    /// No name that an application gives to a column has it: it is no part of an identifier, and escaped.
    private static let separator: Character = "~"
    /// Longer than any list of columns; what is not ours is not read.
    private static let longest = 2000
    private static let maxAge = 365 * 24 * 3600

    private var name: String { names.columnsPrefix + model.slug }

    /// Nil where nobody has chosen.
    func read(_ context: AdminRequestContext) -> [String]? {
        guard let text = context.cookies?[name]?.value, text.utf8.count <= Self.longest else { return nil }
        let columns = text.split(separator: Self.separator).compactMap { String($0).removingPercentEncoding }
        return columns.isEmpty ? nil : columns
    }

    func keep(_ columns: [String]) -> Cookie {
        cookie(columns.map(FormEncoding.escape).joined(separator: String(Self.separator)), maxAge: Self.maxAge)
    }

    func forget() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: names.areSecure, httpOnly: true, sameSite: .lax
        )
    }
}

extension ComputedColumn {
    /// What the record's sheet says, in the words of its list.
    func text(of record: Record) -> String {
        let value = value(record)
        return switch (value, property.type) {
        case (.null, _): "–"
        case (.integer(let flag), .boolean): flag == 0 ? localized("No") : localized("Yes")
        case (.text(let text), .date): DateWords.dateAndTime(text)
        case (.text(let text), .calendarDate): DateWords.day(text)
        default: property.choiceLabel(of: value) ?? property.formText(of: value)
        }
    }
}
