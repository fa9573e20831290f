package import AviaryDesign
import AviaryDomain
package import Foundation

/// A list as HTML.
package struct ListView: Component {
    let model: ListViewModel
    let banners: [DraftBanner]
    /// The questions, messages and warnings above the rows.
    let notices: [Notice]
    /// The CSRF token of the forms next to the list.
    let csrf: String
    /// The record that was saved just now, whose row is marked.
    let saved: UUID?

    package init(
        model: ListViewModel, banners: [DraftBanner] = [], notices: [Notice] = [], csrf: String = "",
        saved: UUID? = nil
    ) {
        self.saved = saved
        self.model = model
        self.banners = banners
        self.notices = notices
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.render(
            ListHeader(
                title: model.schema.pluralTitle, count: model.page?.total, matches: model.page?.matches?.inWords,
                addTitle: addTitle,
                addHref: model.canAdd ? model.startCreation() : nil
            ))
        for notice in notices { html.render(notice) }
        html.render(DraftList(banners))
        if let message = model.errorMessage { html.render(Notice(.failure, message)) }
        if hasRecords { html.render(tools) }
        if let panel = model.filterPanel { html.render(panel) }
        if let panel = model.columnPanel(csrf: csrf) { html.render(panel) }
        html.render(FilterChips(model.chips, removeAllHref: model.allHref))
        for notice in model.rangeNotices { html.render(notice) }
        if let advice = model.filterAdvice {
            html.render(
                EmptyState(
                    title: localized("Too many records to search"), text: advice,
                    actionTitle: localized("Show all \(model.schema.pluralName)"), actionHref: model.allHref))
        }
        guard let page = model.page else { return }
        if page.records.isEmpty {
            html.render(nothing)
        } else {
            html.render(table(page))
            html.render(footer(page))
        }
    }

    private var addTitle: String { localized("Add \(model.schema.singularName)") }

    /// Indicates whether the list has records. An empty list needs no search.
    private var hasRecords: Bool { model.query.isFiltered || model.page?.total != 0 }

    private var nothing: EmptyState {
        let schema = model.schema
        guard model.query.isFiltered else {
            return EmptyState(
                title: localized("No \(schema.pluralName) yet"),
                text: model.canAdd
                    ? localized("Records you add appear here.") : localized("Added records appear here."),
                actionTitle: model.canAdd ? addTitle : nil, actionHref: model.canAdd ? model.startCreation() : nil
            )
        }
        let total = model.page?.total ?? 0
        return EmptyState(
            title: localized("No \(schema.pluralName) match"),
            text: ([localized("Searched \(schema.counted(total)). Change the search or the filters.")]
                + model.searchExplanation).joined(separator: " "),
            actionTitle: model.chips.count == 1 && model.query.search != nil
                ? localized("Show all \(schema.pluralName)") : localized("Clear filters"),
            actionHref: model.allHref
        )
    }

    private var tools: ListTools {
        ListTools(search: model.searchField, filters: model.filterLink, items: model.menu)
    }

    private func table(_ page: Page) -> RecordTable {
        let location = model.location
        let cells = RowCells(
            model.configuration, columns: model.columns, related: model.related, values: model.values)
        let paths = model.paths
        let actions = model.actions
        return RecordTable(
            columns: columns,
            rows: page.records.enumerated().map {
                cells.row($1, number: $0 + 1, paths: paths, location: location, isSaved: $1.id == saved)
            },
            deleteAction: model.canDelete ? paths.delete : nil,
            caption: model.schema.pluralTitle,
            returnTo: location.isEmpty ? nil : location,
            actions: actions.isEmpty
                ? nil : RecordTable.Actions(path: paths.batch, titles: actions.map { ($0.name, $0.title) })
        )
    }

    private var columns: [TableColumn] {
        let sortable = model.configuration.sortableColumns
        return model.columns.compactMap { name in
            guard let property = model.schema.property(name) ?? model.configuration.computedColumns[name]?.property
            else { return nil }
            let isSorted = model.query.sort.property == name
            return TableColumn(
                title: model.configuration.title(ofColumn: name),
                sortHref: sortable.contains(name)
                    ? model.paths.list.withQuery(model.query.sorted(by: name).text(for: model.configuration)) : nil,
                sort: isSorted ? (model.query.sort.direction == .ascending ? .ascending : .descending) : nil,
                // The first cell of a row is its header, which is aligned like a text.
                alignment: property.isNumeric && name != model.columns.first ? .trailing : .leading,
                needsLabel: model.configuration.computedColumns[name] != nil || needsLabel(property)
            )
        }
    }

    /// Indicates whether a value does not tell which column it is of.
    ///
    /// The title of another record does, unless two columns refer to the same model, or the label names something else
    /// than the model, such as `from`.
    private func needsLabel(_ property: PropertySchema) -> Bool {
        guard case .toOne(let other) = property.type else { return !property.needsNoLabel }
        let alike = model.columns.count { model.schema.property($0)?.type.model == other }
        return alike > 1 || property.noun != property.labelInSentence
    }

    private func footer(_ page: Page) -> PageFooter {
        func link(_ cursor: PageCursor) -> String {
            model.paths.list.withQuery(model.query.moved(to: cursor).text(for: model.configuration))
        }
        return PageFooter(
            summary: summary(page), previousHref: page.previous.map { link(.before($0)) },
            nextHref: page.next.map { link(.after($0)) }
        )
    }

    /// Returns the number of records in words, for example `152 animals`, `50 of 152 animals`, `3 matches` or
    /// `50 of 10,000+ matches`.
    private func summary(_ page: Page) -> String {
        let shown = page.records.count
        guard let matches = page.matches else {
            guard shown != page.total else { return model.schema.counted(page.total) }
            return localized("\(shown) of \(TextFormatter.grouped(page.total)) \(model.schema.pluralName)")
        }
        guard matches.isExact, matches.number == shown else {
            return localized("\(shown) of \(matches.inWords) matches")
        }
        return localized(shown, one: "\(matches.inWords) match", other: "\(matches.inWords) matches")
    }
}

extension PropertySchema {
    fileprivate var isNumeric: Bool {
        switch type {
        case .integer, .sizedInteger, .double, .float, .decimal, .data: true
        default: false
        }
    }

    /// Indicates whether a value is understandable without its label. Words usually are; numbers never are.
    fileprivate var needsNoLabel: Bool {
        switch type {
        case .string, .url, .choice, .integerChoice, .toOne, .toMany: true
        case .uuid, .boolean, .integer, .sizedInteger, .double, .float, .decimal, .date, .calendarDate, .data, .json,
            .array:
            false
        }
    }
}
