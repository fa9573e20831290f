import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The coordinator of a model's list, alone or behind a sheet.
struct ListCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// Shows the list that the address asks for.
    func show(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try query(context.query, of: model), panel = ListPanel(context.query)
        if panel == nil, let name = context.query.value(ListPanel.field), !name.isEmpty {
            throw PageError.unreadableAddress(ListPanel.field).leading(to: model)
        }
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: try context.principal.draftOwner))
        let news = try await FlashMessage(site: site).notices(context, back: request.uri.string, of: model)
        return try await page(
            model, query: query, browserDrafts: browserDrafts, context: context, notices: news,
            saved: news.isEmpty ? nil : FlashMessage.savedRecord(context), panel: panel
        )
    }

    /// Stores in a cookie which columns this browser shows.
    func chooseColumns(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        try context.principal.check(.view, model.schema)
        let query = returnQuery(context.form, of: model)
        let chosen = ChosenColumns(names: site.sessions.names, model: model.schema)
        let names = context.form.values("column").filter(model.configuration.columns.contains)
        var response = Response.seeOther(model.paths.list.withQuery(query.text(for: model.configuration)))
        // The first column is always shown, even if no other one is chosen.
        let first = model.configuration.columns.first.map { [$0] } ?? []
        response.setCookie(
            context.form.value("all") == nil
                ? chosen.keep(first + names.filter { !first.contains($0) }) : chosen.forget())
        return response
    }

    /// Shows the list behind a sheet or below messages.
    ///
    /// - Parameter saved: The record that was saved just now, whose row is marked.
    func page(
        _ model: AdminModel, query: ListQuery, browserDrafts: BrowserDrafts, context: AdminRequestContext,
        status: HTTPResponse.Status = .ok, title: String? = nil, open draft: UUID? = nil,
        notices: [Notice] = [], saved: UUID? = nil, panel: ListPanel? = nil, sheet: ((inout HTML) -> Void)? = nil
    ) async throws -> Response {
        var list = try viewModel(model, query: query, panel: panel, context: context)
        await list.load()
        await list.loadPanel()
        let unread = await loadValues(of: &list, context)
        // The status of a page with a sheet is that of the sheet.
        let isUnreadable = list.failure != nil && sheet == nil && status == .ok
        if let failure = list.failure {
            context.logger.warning(
                "a list could not be read",
                metadata: [
                    "route": "\(context.route)", "model": "\(model.schema.name)", "error": "\(failure.redactedText)",
                ])
        }
        let csrf = site.tokens.token(for: context.session)
        // Behind a sheet, nobody looks for the discarded draft.
        let cancelled =
            sheet == nil
            ? CancelledDraftCookie(context, of: model.schema, user: list.principal.draftOwner, in: site) : nil
        let banners = DraftBanners(
            site: site, browserDrafts: browserDrafts, csrf: csrf, place: .list, location: list.location,
            discarded: context.discardedDraft, cancelled: cancelled
        )
        let notices = notices + banners.notices + unread
        let view = ListView(
            model: list, banners: banners.banners(of: model, besides: draft), notices: notices, csrf: csrf, saved: saved
        )
        let isOffered =
            list.failure == nil && list.filterAdvice == nil && panel == nil && sheet == nil && cancelled == nil
            && notices.isEmpty && browserDrafts.isEmpty && model.configuration.computedColumns.isEmpty
        var response = pages.page(
            title: title ?? model.schema.pluralTitle, at: .model(model.schema.name), principal: list.principal,
            csrf: csrf, status: isUnreadable ? .serviceUnavailable : status,
            offer: { if isOffered { context.pageOffer?.offer($0, token: csrf, of: context.session) } }, sheet: sheet
        ) { $0.render(view) }
        if isUnreadable { response.headers[.retryAfter] = "2" }
        if cancelled != nil { response.setCookie(CancelledDraftCookie.forget(site.drafts.names)) }
        // Unreadable and settled drafts are deleted. A sheet's coordinator handles the sheet's own draft.
        for cookie in site.drafts.expire(browserDrafts.settled + browserDrafts.unreadable) {
            response.setCookie(cookie)
        }
        return response
    }

    /// Reads the columns of a list that come from other records.
    ///
    /// - Returns: A notice for each column that could not be read.
    private func loadValues(of list: inout ListViewModel, _ context: AdminRequestContext) async -> [Notice] {
        guard let source = site.container.preparation.source else { return [] }
        return await list.loadValues(from: source.records).map { title, error in
            context.logger.error(
                "a column of a list could not be read",
                metadata: [
                    "route": "\(context.route)", "model": "\(list.schema.name)", "column": "\(title)",
                    "error": "\(error.redactedText)",
                ])
            return Notice(.warning, localized("Couldn’t load “\(title)”. Try again in a moment."))
        }
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

    /// Reads the query of a list's address.
    ///
    /// - Throws: ``PageError`` with status 404 for a column, a filter or a search that the list does not
    ///   have, and with 400 for a cursor, a value or words that cannot be read. A longer list than requested would
    ///   be the wrong answer.
    func query(_ fields: [FormField], of model: AdminModel) throws -> ListQuery {
        do {
            return try ListQuery(fields, for: model.configuration)
        } catch {
            throw PageError(error, in: fields, of: model)
        }
    }

    /// Returns the part of the list that a form was opened from; the first page when the form contains nothing
    /// usable.
    func returnQuery(_ form: [FormField], of model: AdminModel) -> ListQuery {
        let fields = (try? FormEncoding.decode((form.value("return") ?? "").utf8)) ?? []  // only comfort is lost
        return (try? ListQuery(fields, for: model.configuration))  // as above
            ?? ListQuery(sort: model.configuration.defaultSort ?? ListOrder(property: "", direction: .ascending))
    }
}

extension PageError {
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
                .notFound, localized("This column doesn’t exist"),
                localized("The address sorts by a column that this list doesn’t have or can’t be sorted by.")
            )
        case .unknownFilter:
            (status, title, text) = (
                .notFound, localized("This filter doesn’t exist"),
                localized("The address contains a filter that this list doesn’t have.")
            )
        case .unreadable(let filter, let advice):
            (status, title, text) = (.badRequest, localized("Invalid filter"), "\(filter): \(advice)")
        case .tooManyValues(let filter):
            (status, title, text) = (
                .badRequest, localized("Too many values"),
                localized("\(filter): choose at most 50 values.")
            )
        case .noSearch:
            (status, title, text) = (
                .notFound, localized("This list has no search"),
                localized("The address contains a search, but this list can’t be searched.")
            )
        case .searchTooLong:
            (status, title, text) = (
                .badRequest, localized("The search is too long"),
                localized("Search for at most 200 characters.")
            )
        }
        self.init(status: status, title: title, text: text, backTitle: back.0, backPath: back.1)
    }
}

/// The columns of a list that a browser shows, in a small cookie for each model.
///
/// The cookie is not secret, and the server does not trust it: it ignores names that are not columns.
struct ChosenColumns: Sendable {
    let names: CookieNames
    let model: ModelSchema

    /// The character between names.
    ///
    /// It cannot occur in a column's name, because it is not valid in an identifier and is escaped.
    private static let separator: Character = "~"
    /// The size of the longest cookie that is read, in bytes.
    ///
    /// It is longer than any list of columns; a longer cookie is not from this server.
    private static let longest = 2000
    private static let maxAge = 365 * 24 * 3600

    private var name: String { names.columnsPrefix + model.slug }

    /// Returns the chosen columns, or nil when none were chosen.
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
    /// Returns the text of the computed value on the record's sheet. It is the same as in the list.
    func text(of record: Record) -> String {
        let value = value(record)
        return switch (value, property.type) {
        case (.null, _): "–"
        case _ where property.type.hasNoNumber(value): "–"
        case (.integer(let flag), .boolean): flag == 0 ? localized("No") : localized("Yes")
        case (.text(let text), .date): DateTextFormatter.dateAndTime(text)
        case (.text(let text), .calendarDate): DateTextFormatter.day(text)
        default: property.choiceLabel(of: value) ?? property.formText(of: value)
        }
    }
}
