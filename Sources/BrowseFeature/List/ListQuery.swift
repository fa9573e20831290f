package import AviaryDomain

/// Which part of a list the address asks for: search and filters, sort order, place and page size.
package struct ListQuery: Sendable, Hashable {
    package let sort: ListOrder
    package let cursor: PageCursor?
    package let size: Int
    /// Words to look for; nil for none.
    package let search: String?
    /// At most one of each property.
    package let settings: [FilterSetting]
    /// Search and filters as fields of an address.
    let narrowing: [FormField]

    private static let defaultSize = 50
    private static let sizes = 1...200

    package init(sort: ListOrder, cursor: PageCursor? = nil, size: Int = ListQuery.standardSize) {
        self.init(sort: sort, cursor: cursor, size: size, search: nil, settings: [], narrowing: [])
    }

    init(
        sort: ListOrder, cursor: PageCursor?, size: Int, search: String?, settings: [FilterSetting],
        narrowing: [FormField]
    ) {
        self.sort = sort
        self.cursor = cursor
        self.size = size
        self.search = search
        self.settings = settings
        self.narrowing = narrowing
    }

    package static var standardSize: Int { defaultSize }

    /// Reads `q=`, `filter.FIELD=VALUE` (repeated: any of them), `filter.FIELD.from=`, `.to=` and `.empty=1`,
    /// `sort=name|-name`, `after=` or `before=`, and `size=`.
    ///
    /// - Throws: ``ListQueryError`` for a column or a filter that does not exist, for a value that cannot be read, for what
    ///   stands there twice and can count once, and for a place that was not made for this order and these filters.
    package init(_ fields: [FormField], for configuration: ModelConfiguration) throws(ListQueryError) {
        if let name = fields.repeatedName { throw .ambiguous(name: name) }
        sort = try Self.sort(fields.value("sort"), for: configuration)
        search = try Self.search(fields.value("q"), for: configuration)
        settings = try FilterReader(configuration: configuration).settings(fields)
        narrowing = Self.fields(search, settings, of: configuration)
        if let text = fields.value("size") {
            guard let size = Int(text), Self.sizes.contains(size) else { throw .invalidSize }
            self.size = size
        } else {
            size = Self.defaultSize
        }
        let binding = CursorBinding(sort, narrowing)
        if let text = fields.value("after") {
            guard let position = CursorText.decode(text, for: binding) else { throw .invalidCursor }
            cursor = .after(position)
        } else if let text = fields.value("before") {
            guard let position = CursorText.decode(text, for: binding) else { throw .invalidCursor }
            cursor = .before(position)
        } else {
            cursor = nil
        }
    }

    /// Whether it asks for less than all records.
    package var isNarrowed: Bool { !narrowing.isEmpty }

    /// - Parameters:
    ///   - relations: The to-many properties whose related records the page shows.
    ///   - titles: The number of related records whose titles it shows, for each record and property.
    package func request(
        for configuration: ModelConfiguration, relations: [String] = [], titles: Int = 0
    ) -> PageRequest {
        PageRequest(
            sort: sort, cursor: cursor, size: size, conditions: conditions(for: configuration), relations: relations,
            relatedTitles: titles
        )
    }

    /// Each of which holds for the records of the list.
    package func conditions(for configuration: ModelConfiguration) -> [QueryExpression] {
        [search.flatMap(configuration.searchCondition)].compactMap(\.self)
            + settings.compactMap { configuration.filter($0.property)?.condition($0) }
    }

    private static func sort(
        _ text: String?, for configuration: ModelConfiguration
    ) throws(ListQueryError) -> ListOrder {
        guard let text else {
            guard let standard = configuration.defaultSort else { throw .unknownColumn }
            return standard
        }
        let isDescending = text.hasPrefix("-")
        let property = isDescending ? String(text.dropFirst()) : text
        guard configuration.sortableColumns.contains(property) else { throw .unknownColumn }
        return ListOrder(property: property, direction: isDescending ? .descending : .ascending)
    }
}

/// An address that names something the list does not have.
package enum ListQueryError: Error, Sendable, Hashable {
    case unknownColumn
    case invalidCursor
    case invalidSize
    /// A name stands there twice.
    case ambiguous(name: String)
    case unknownFilter
    /// A filter's value that cannot be read: what the filter is called, and what to write.
    case unreadable(filter: String, advice: String)
    case tooManyValues(filter: String)
    case noSearch
    case searchTooLong
    /// With a character that no stored text has.
    case unreadableSearch
}

extension ListQuery {
    /// In bytes: nobody looks for more.
    static let longestSearch = 200

    static func search(_ text: String?, for configuration: ModelConfiguration) throws(ListQueryError) -> String? {
        // By scalars: a mark that is written on a space is one character with it, and a name may begin so.
        let words = (text ?? "").unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init)
            .joined(separator: " ")
        guard !words.isEmpty else { return nil }
        guard !configuration.searched.isEmpty else { throw .noSearch }
        guard !words.utf8.contains(0) else { throw .unreadableSearch }
        guard words.utf8.count <= longestSearch else { throw .searchTooLong }
        return words
    }
}

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

extension ListQuery {
    /// All of the list, in its order.
    package func exported(for configuration: ModelConfiguration) -> ExportQuery {
        ExportQuery(conditions: conditions(for: configuration), order: sort)
    }
}
