package import AviaryDomain

extension ListQuery {
    /// The query string that leads here again; what is standard is left out.
    package func text(for configuration: ModelConfiguration) -> String {
        var fields: [FormField] = []
        if sort != configuration.defaultSort {
            fields.append(FormField(name: "sort", value: sort.text))
        }
        if size != Self.standardSize {
            fields.append(FormField(name: "size", value: String(size)))
        }
        switch cursor {
        case .after(let position):
            fields.append(FormField(name: "after", value: CursorText.encode(position, for: sort)))
        case .before(let position):
            fields.append(FormField(name: "before", value: CursorText.encode(position, for: sort)))
        case nil:
            break
        }
        return FormEncoding.encode(fields)
    }

    func moved(to cursor: PageCursor) -> ListQuery {
        ListQuery(sort: sort, cursor: cursor, size: size)
    }

    /// Sorted by the column: a second time the other way around; always from the first page.
    func sorted(by property: String) -> ListQuery {
        let isReversing = sort.property == property && sort.direction == .ascending
        return ListQuery(
            sort: ListOrder(property: property, direction: isReversing ? .descending : .ascending), size: size
        )
    }
}

extension ListOrder {
    /// `name`, or `-name` for descending.
    var text: String {
        direction == .descending ? "-" + property : property
    }
}
