import AviaryDesign
import AviaryDomain

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
