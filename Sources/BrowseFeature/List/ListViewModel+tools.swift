import AviaryDesign
import AviaryDomain

extension ListViewModel {
    var searchField: ListTools.Search? {
        guard !configuration.searched.isEmpty else { return nil }
        return ListTools.Search(
            label: "Search \(schema.pluralName)", value: query.search ?? "", action: paths.list, hidden: hiddenFields(besides: ["q"])
        )
    }

    var filterLink: ListTools.Filters? {
        guard !filters.isEmpty else { return nil }
        return ListTools.Filters(
            href: isFilterPanelOpen ? closeHref : paths.list.withQuery(query.text(for: configuration, panel: "filters")),
            isOpen: isFilterPanelOpen, count: query.settings.count
        )
    }

    /// What is done more rarely.
    var menu: [ListTools.Item] {
        var items: [ListTools.Item] = []
        if allColumns.count > 1 {
            items.append(ListTools.Item("Columns…", href: paths.list.withQuery(query.text(for: configuration, panel: "columns"))))
        }
        guard let page, !page.records.isEmpty else { return items }
        let all = query.isNarrowed ? "all that match" : "all \(schema.pluralName)"
        for action in actions {
            items.append(ListTools.Item("\(action.title): \(all)…", href: batchHref(action.name)))
        }
        if canDelete { items.append(ListTools.Item("Delete \(all)…", href: batchHref("delete"), isDangerous: true)) }
        return items
    }

    private func batchHref(_ operation: String) -> String {
        let first = query.moved(to: nil).text(for: configuration)
        return paths.batch.withQuery(FormEncoding.encode([
            FormField(name: "do", value: operation), FormField(name: "all", value: "1"), FormField(name: "return", value: first),
        ]))
    }

    /// The same part of the list without a panel.
    var closeHref: String { paths.list.withQuery(location) }

    var isFilterPanelOpen: Bool { if case .filters = panel { true } else { false } }

    /// The address of the list's first page as fields of a form, without those that the form has itself.
    func hiddenFields(besides own: Set<String>) -> [(String, String)] {
        query.moved(to: nil).fields(for: configuration).filter { field in
            !own.contains(field.name) && !(own.contains(FilterReader.prefix) && field.name.hasPrefix(FilterReader.prefix))
        }.map { ($0.name, $0.value) }
    }

    func columnPanel(csrf: String) -> ColumnPanel? {
        guard panel == .columns else { return nil }
        let shown = Set(columns)
        return ColumnPanel(
            columns: allColumns.map { ColumnPanel.Column(name: $0, title: configuration.title(ofColumn: $0), isShown: shown.contains($0)) },
            action: paths.columns, csrf: csrf, hidden: location.isEmpty ? [] : [("return", location)], closeHref: closeHref
        )
    }
}
