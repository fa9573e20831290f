package import AviaryDesign
import AviaryDomain

/// A list as HTML.
package struct ListView: Component {
    let model: ListViewModel
    let banners: [DraftBanner]
    /// What stands above the rows: questions, news, warnings.
    let notices: [Notice]

    package init(model: ListViewModel, banners: [DraftBanner] = [], notices: [Notice] = []) {
        self.model = model
        self.banners = banners
        self.notices = notices
    }

    package func render(into html: inout HTML) {
        let schema = model.schema
        let addTitle = "Add \(schema.singularName)"
        html.render(ListHeader(
            title: schema.pluralTitle, count: model.page?.total, addTitle: addTitle,
            addHref: model.canAdd ? model.startCreation() : nil
        ))
        for notice in notices { html.render(notice) }
        for banner in banners { html.render(banner) }
        if let message = model.errorMessage { html.render(Notice(.failure, message)) }
        guard let page = model.page else { return }
        if page.records.isEmpty {
            html.render(EmptyState(
                title: "No \(schema.pluralName) yet", text: model.canAdd ? "What you add appears here." : "What is added appears here.",
                actionTitle: model.canAdd ? addTitle : nil, actionHref: model.canAdd ? model.startCreation() : nil
            ))
        } else {
            html.render(table(page))
            html.render(footer(page))
        }
    }

    private func table(_ page: Page) -> RecordTable {
        let location = model.location
        let cells = RowCells(model.configuration, columns: model.columns, related: model.related)
        let paths = model.paths
        return RecordTable(
            columns: columns,
            rows: page.records.map { cells.row($0, paths: paths, location: location) },
            deleteAction: model.canDelete ? paths.delete : nil,
            caption: model.schema.pluralTitle,
            returnTo: location.isEmpty ? nil : location
        )
    }

    private var columns: [TableColumn] {
        let sortable = model.configuration.sortableColumns
        return model.columns.compactMap { name in
            guard let property = model.schema.property(name) ?? model.configuration.computedColumns[name]?.property else { return nil }
            let isSorted = model.query.sort.property == name
            return TableColumn(
                title: model.configuration.title(ofColumn: name),
                sortHref: sortable.contains(name)
                    ? model.paths.list.withQuery(model.query.sorted(by: name).text(for: model.configuration)) : nil,
                sort: isSorted ? (model.query.sort.direction == .ascending ? .ascending : .descending) : nil,
                alignment: property.isNumeric ? .trailing : .leading
            )
        }
    }

    private func footer(_ page: Page) -> PageFooter {
        func link(_ cursor: PageCursor) -> String {
            model.paths.list.withQuery(model.query.moved(to: cursor).text(for: model.configuration))
        }
        let total = model.schema.counted(page.total)
        return PageFooter(
            summary: page.records.count == page.total ? total : "\(page.records.count) of \(total)",
            previousHref: page.previous.map { link(.before($0)) },
            nextHref: page.next.map { link(.after($0)) }
        )
    }
}

extension PropertySchema {
    fileprivate var isNumeric: Bool {
        switch type {
        case .integer, .sizedInteger, .double, .float, .decimal, .data: true
        default: false
        }
    }
}
