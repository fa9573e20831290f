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
