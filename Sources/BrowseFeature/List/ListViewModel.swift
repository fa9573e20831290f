import AviaryDesign
package import AviaryDomain
package import Foundation

/// The view model of one model's list: the content of a page and the operations on its rows.
package struct ListViewModel: Sendable {
    package let configuration: ModelConfiguration
    package private(set) var query: ListQuery
    /// The rows, once loaded.
    package private(set) var page: Page?
    /// The contents of the to-many columns, by property name and record.
    package var related: [String: [UUID: RelatedSummary]] { page?.related ?? [:] }
    /// The values of the columns that come from other records, by column and record.
    package private(set) var values: [String: [UUID: FieldValue]] = [:]
    /// The problem in words for the user.
    package private(set) var errorMessage: String?
    /// The error of reading the rows, for the log; nil if the read succeeded.
    package private(set) var failure: (any Error)?
    /// The advice to the user when the search or the filters time out.
    package private(set) var filterAdvice: String?
    /// The panel that is open next to the list.
    package let panel: ListPanel?
    /// The titles of the related records that the list is filtered by, by property.
    var filterTitles: [String: [UUID: String]] = [:]
    var offers: [String: FilterOffer] = [:]

    let repository: any RecordRepository
    package let principal: Principal
    /// Returns the records of another model by its name, or nil if there are none.
    let others: @Sendable (String) -> (any RecordRepository)?
    private let chosenColumns: [String]?

    /// Creates the view model of a list.
    ///
    /// - Parameters:
    ///   - chosenColumns: The columns that this browser shows; nil for all. Unknown names are ignored.
    ///   - others: A closure that returns the records of another model, which provide the titles of related
    ///     records.
    /// - Throws: ``AccessError`` if the principal is not allowed to view the model or a property that the list is
    ///   filtered by.
    package init(
        configuration: ModelConfiguration, query: ListQuery, repository: any RecordRepository, principal: Principal,
        panel: ListPanel? = nil, chosenColumns: [String]? = nil,
        others: @escaping @Sendable (String) -> (any RecordRepository)? = { _ in nil }
    ) throws(AccessError) {
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
    /// The actions that the user is allowed to perform on many records, besides deleting them.
    var actions: [BulkAction] { configuration.actions.filter { principal.may($0.permission, schema.name) } }

    /// The columns of the configuration, which contains only properties that the user is allowed to see.
    var allColumns: [String] { configuration.columns }

    /// The shown columns. The first one links to the record and cannot be hidden.
    package var columns: [String] {
        guard let chosenColumns else { return allColumns }
        return allColumns.enumerated().filter { $0.offset == 0 || chosenColumns.contains($0.element) }.map(\.element)
    }

    /// The query string that leads back to this part of the list.
    package var location: String { query.text(for: configuration) }

    /// Reads the rows. If the page is empty because its rows were deleted, it reads the first page.
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
        } catch let error as ReadError where error.code == .tookTooLong && query.isFiltered {
            filterAdvice = localized(
                "The search was stopped, because it would read too many \(schema.pluralName). Enter more letters, add a filter, or sort by the column you filter by."
            )
        } catch {
            failure = error
            errorMessage = localized("Couldn’t load the \(schema.pluralName). Try again in a moment.")
        }
    }

    /// Reads the columns whose values come from other records.
    ///
    /// - Parameter source: The records of the application's models.
    /// - Returns: The titles of the columns that could not be read, with the errors. They are empty on the page.
    package mutating func loadValues(
        from source: @escaping ComputedColumn.RecordSource
    ) async -> [(title: String, error: any Error)] {
        guard let records = page?.records, !records.isEmpty else { return [] }
        var failed: [(title: String, error: any Error)] = []
        for name in columns {
            guard let column = configuration.computedColumns[name], let make = column.values else { continue }
            do {
                values[name] = try await make(records, source)
            } catch {
                failed.append((column.title, error))
            }
        }
        return failed
    }

    /// The request for the rows and the related records of their to-many columns, in one read.
    private var pageRequest: PageRequest {
        let relations = columns.filter { name in
            if case .toMany = schema.property(name)?.type { true } else { false }
        }
        return query.request(for: configuration, relations: relations, titles: Self.titlesInCell)
    }

    private static let titlesInCell = 3

    /// Returns the address that starts a new record. A draft of another one is not continued; its banner leads to it.
    package func startCreation() -> String {
        paths.startingOver(location)
    }
}

extension ListViewModel {
    var searchField: ListTools.Search? {
        guard configuration.isSearchable else { return nil }
        return ListTools.Search(
            label: localized("Search \(schema.pluralName)"), value: query.search ?? "", action: paths.list,
            hidden: hiddenFields(besides: ["q"])
        )
    }

    /// The sentences that say which properties a search without a result has looked at, and how; empty without a
    /// search.
    var searchExplanation: [String] {
        guard query.search != nil else { return [] }
        func names(_ properties: [PropertySchema]) -> String {
            TextFormatter.list(properties.map { TextFormatter.quoted($0.label) })
        }
        let words = configuration.searchedAnywhere, others = configuration.searchedByPrefix
        return (words.isEmpty ? [] : [localized("In \(names(words)), the words are found anywhere.")])
            + configuration.searchedReferences.map { reference in
                localized("In \(names([reference.property])), the words are searched in \(names(reference.texts)).")
            }
            + (others.isEmpty ? [] : [localized("Only the beginning of \(names(others)) is searched.")])
    }

    var filterLink: ListTools.Filters? {
        guard !filters.isEmpty else { return nil }
        return ListTools.Filters(
            href: isFilterPanelOpen
                ? closeHref : paths.list.withQuery(query.text(for: configuration, panel: "filters")),
            isOpen: isFilterPanelOpen, count: query.settings.count
        )
    }

    /// The menu of less frequent operations.
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
        let all = query.isFiltered ? localized("all that match") : localized("all \(schema.pluralName)")
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

    /// Returns the address that exports the complete list with its search, filters and order.
    private func exportHref(_ format: ExportFormat) -> String {
        let first = query.moved(to: nil).fields(for: configuration).filter { $0.name != "size" }
        return paths.export.withQuery(FormEncoding.encode(first + [FormField(name: "format", value: format.rawValue)]))
    }

    /// The address of the same part of the list without a panel.
    var closeHref: String { paths.list.withQuery(location) }

    var isFilterPanelOpen: Bool { if case .filters = panel { true } else { false } }

    /// Returns the address of the list's first page as hidden fields of a form, without the fields that the form
    /// contains itself.
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
