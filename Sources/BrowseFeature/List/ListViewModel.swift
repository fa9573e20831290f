import AviaryDesign
package import AviaryDomain
package import Foundation

/// The list of one model: what a page of it shows and what can be done with its rows.
package struct ListViewModel: Sendable {
    package let configuration: ModelConfiguration
    package private(set) var query: ListQuery
    /// The rows, once loaded.
    package private(set) var page: Page?
    /// What stands in the to-many columns, by property name and record.
    package var related: [String: [UUID: RelatedSummary]] { page?.related ?? [:] }
    /// What went wrong, in words for the person looking at the list.
    package private(set) var errorMessage: String?
    /// Why the rows could not be read, for the log; nil where they could.
    package private(set) var failure: (any Error)?
    /// What to do when the search or the filters ask for too much work.
    package private(set) var narrowingAdvice: String?
    /// What is open beside the list.
    package let panel: ListPanel?
    /// What the related records are called that the list is narrowed by, by property.
    var filterTitles: [String: [UUID: String]] = [:]
    var offers: [String: FilterOffer] = [:]

    let repository: any RecordRepository
    package let principal: Principal
    /// The records of other models, by their names; nil where there are none.
    let others: @Sendable (String) -> (any RecordRepository)?
    private let chosenColumns: [String]?

    /// - Parameters:
    ///   - chosenColumns: Those that this browser is to show; nil for all. Unknown ones are ignored.
    ///   - others: The records of other models, for what related records are called.
    /// - Throws: ``AccessRefusal`` for whoever may not view the model, or what it is narrowed by.
    package init(
        configuration: ModelConfiguration, query: ListQuery, repository: any RecordRepository, principal: Principal,
        panel: ListPanel? = nil, chosenColumns: [String]? = nil,
        others: @escaping @Sendable (String) -> (any RecordRepository)? = { _ in nil }
    ) throws(AccessRefusal) {
        try principal.check(.view, configuration.schema)
        self.configuration = configuration.seen(by: principal)
        self.query = query
        self.repository = repository
        self.principal = principal
        self.panel = panel
        self.chosenColumns = chosenColumns
        self.others = others
        let seen = filters.map(\.property)
        guard query.settings.allSatisfy({ seen.contains($0.property) }) else { throw .hidden }
    }

    package var schema: ModelSchema { configuration.schema }
    package var paths: ModelPaths { ModelPaths(schema) }
    package var canAdd: Bool { principal.may(.add, schema.name) }
    package var canDelete: Bool { principal.may(.delete, schema.name) }
    /// What may be done with many records at once, beside deleting them.
    var actions: [BulkAction] { configuration.actions.filter { principal.may($0.permission, schema.name) } }

    /// Those of the configuration's, which has only what may be seen.
    var allColumns: [String] { configuration.columns }

    /// Those that are shown: the first leads to the record, and stays.
    package var columns: [String] {
        guard let chosenColumns else { return allColumns }
        return allColumns.enumerated().filter { $0.offset == 0 || chosenColumns.contains($0.element) }.map(\.element)
    }

    /// The query string that leads back to this part of the list.
    package var location: String { query.text(for: configuration) }

    /// Reads the rows. A page that has become empty because its rows were deleted becomes the first.
    package mutating func load() async {
        do {
            try await loadFilterTitles()
            var page = try await repository.page(pageRequest)
            if page.records.isEmpty, query.cursor != nil {
                query = query.moved(to: nil)
                page = try await repository.page(pageRequest)
            }
            self.page = page
            (errorMessage, failure) = (nil, nil)
        } catch ReadError.tookTooLong where query.isNarrowed {
            narrowingAdvice = localized(
                "This search would look through too many \(schema.pluralName), and was stopped. Narrow it: write more letters, add a filter, or sort by what you filter by."
            )
        } catch {
            failure = error
            errorMessage = localized("The \(schema.pluralName) could not be read. Try again in a moment.")
        }
    }

    /// The request for the rows and the related records of their to-many columns, in one read.
    private var pageRequest: PageRequest {
        let relations = columns.filter { name in
            if case .toMany = schema.property(name)?.type { true } else { false }
        }
        return query.request(for: configuration, relations: relations, titles: Self.titlesInCell)
    }

    private static let titlesInCell = 3

    /// Where a new record is begun.
    package func startCreation() -> String {
        paths.new.withQuery(location)
    }
}

extension ListViewModel {
    var searchField: ListTools.Search? {
        guard !configuration.searched.isEmpty else { return nil }
        return ListTools.Search(
            label: localized("Search \(schema.pluralName)"), value: query.search ?? "", action: paths.list,
            hidden: hiddenFields(besides: ["q"])
        )
    }

    var filterLink: ListTools.Filters? {
        guard !filters.isEmpty else { return nil }
        return ListTools.Filters(
            href: isFilterPanelOpen
                ? closeHref : paths.list.withQuery(query.text(for: configuration, panel: "filters")),
            isOpen: isFilterPanelOpen, count: query.settings.count
        )
    }

    /// What is done more rarely.
    var menu: [ListTools.Item] {
        var items: [ListTools.Item] = []
        if allColumns.count > 1 {
            items.append(
                ListTools.Item(
                    localized("Columns…"), href: paths.list.withQuery(query.text(for: configuration, panel: "columns")))
            )
        }
        if canAdd { items.append(ListTools.Item(localized("Import…"), href: paths.importing)) }
        guard let page, !page.records.isEmpty else { return items }
        items.append(ListTools.Item(localized("Export as CSV"), href: exportHref(.csv)))
        items.append(ListTools.Item(localized("Export as JSON Lines"), href: exportHref(.jsonl)))
        let all = query.isNarrowed ? localized("all that match") : localized("all \(schema.pluralName)")
        for action in actions {
            items.append(ListTools.Item("\(action.title): \(all)…", href: batchHref(action.name)))
        }
        if canDelete {
            items.append(ListTools.Item(localized("Delete \(all)…"), href: batchHref("delete"), isDangerous: true))
        }
        return items
    }

    private func batchHref(_ operation: String) -> String {
        let first = query.moved(to: nil).text(for: configuration)
        return paths.batch.withQuery(
            FormEncoding.encode([
                FormField(name: "do", value: operation), FormField(name: "all", value: "1"),
                FormField(name: "return", value: first),
            ]))
    }

    /// All of the list, as it is narrowed and sorted.
    private func exportHref(_ format: ExportFormat) -> String {
        let first = query.moved(to: nil).fields(for: configuration).filter { $0.name != "size" }
        return paths.export.withQuery(FormEncoding.encode(first + [FormField(name: "format", value: format.rawValue)]))
    }

    /// The same part of the list without a panel.
    var closeHref: String { paths.list.withQuery(location) }

    var isFilterPanelOpen: Bool { if case .filters = panel { true } else { false } }

    /// The address of the list's first page as fields of a form, without those that the form has itself.
    func hiddenFields(besides own: Set<String>) -> [(String, String)] {
        query.moved(to: nil).fields(for: configuration).filter { field in
            !own.contains(field.name)
                && !(own.contains(FilterReader.prefix) && field.name.hasPrefix(FilterReader.prefix))
        }.map { ($0.name, $0.value) }
    }

    func columnPanel(csrf: String) -> ColumnPanel? {
        guard panel == .columns else { return nil }
        let shown = Set(columns)
        return ColumnPanel(
            columns: allColumns.map {
                ColumnPanel.Column(name: $0, title: configuration.title(ofColumn: $0), isShown: shown.contains($0))
            },
            action: paths.columns, csrf: csrf, hidden: location.isEmpty ? [] : [("return", location)],
            closeHref: closeHref
        )
    }
}
