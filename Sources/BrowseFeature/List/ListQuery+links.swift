package import AviaryDomain

extension ListQuery {
    /// The query string that leads here again; what is standard is left out.
    package func text(for configuration: ModelConfiguration) -> String {
        FormEncoding.encode(fields(for: configuration))
    }

    /// With something open beside the list.
    func text(for configuration: ModelConfiguration, panel: String) -> String {
        FormEncoding.encode(fields(for: configuration) + [FormField(name: "panel", value: panel)])
    }

    func fields(for configuration: ModelConfiguration) -> [FormField] {
        var fields = narrowing
        if sort != configuration.defaultSort {
            fields.append(FormField(name: "sort", value: sort.text))
        }
        if size != Self.standardSize {
            fields.append(FormField(name: "size", value: String(size)))
        }
        switch cursor {
        case .after(let position):
            fields.append(FormField(name: "after", value: CursorText.encode(position, for: binding)))
        case .before(let position):
            fields.append(FormField(name: "before", value: CursorText.encode(position, for: binding)))
        case nil:
            break
        }
        return fields
    }

    private var binding: CursorBinding { CursorBinding(sort, narrowing) }

    func moved(to cursor: PageCursor?) -> ListQuery {
        ListQuery(sort: sort, cursor: cursor, size: size, search: search, settings: settings, narrowing: narrowing)
    }

    /// Sorted by the column: a second time the other way around; always from the first page.
    func sorted(by property: String) -> ListQuery {
        let isReversing = sort.property == property && sort.direction == .ascending
        return ListQuery(
            sort: ListOrder(property: property, direction: isReversing ? .descending : .ascending), cursor: nil,
            size: size,
            search: search, settings: settings, narrowing: narrowing
        )
    }

    /// With other search words and filters, from the first page.
    func narrowed(
        search: String?, settings: [FilterSetting], for configuration: ModelConfiguration
    ) -> ListQuery {
        ListQuery(
            sort: sort, cursor: nil, size: size, search: search, settings: settings,
            narrowing: Self.fields(search, settings, of: configuration)
        )
    }

    static func fields(
        _ search: String?, _ settings: [FilterSetting], of configuration: ModelConfiguration
    ) -> [FormField] {
        (search.map { [FormField(name: "q", value: $0)] } ?? []) + settings.flatMap { $0.fields(of: configuration) }
    }
}

extension ListOrder {
    /// `name`, or `-name` for descending.
    var text: String {
        direction == .descending ? "-" + property : property
    }
}
