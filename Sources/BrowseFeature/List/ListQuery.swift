package import AviaryDomain

/// Which part of a list the address asks for: sort order, place and page size.
package struct ListQuery: Sendable, Hashable {
    package let sort: ListOrder
    package let cursor: PageCursor?
    package let size: Int

    private static let defaultSize = 50
    private static let sizes = 1...200

    package init(sort: ListOrder, cursor: PageCursor? = nil, size: Int = ListQuery.standardSize) {
        self.sort = sort
        self.cursor = cursor
        self.size = size
    }

    package static var standardSize: Int { defaultSize }

    /// Reads `sort=name|-name`, `after=` or `before=`, and `size=`.
    ///
    /// - Throws: ``ListQueryError`` for a column that does not exist or cannot be sorted by, and for a place that
    ///   was not made for this order.
    package init(_ fields: [FormField], for configuration: ModelConfiguration) throws(ListQueryError) {
        sort = try Self.sort(fields.value("sort"), for: configuration)
        if let text = fields.value("size") {
            guard let size = Int(text), Self.sizes.contains(size) else { throw .invalidSize }
            self.size = size
        } else {
            size = Self.defaultSize
        }
        if let text = fields.value("after") {
            guard let position = CursorText.decode(text, for: sort) else { throw .invalidCursor }
            cursor = .after(position)
        } else if let text = fields.value("before") {
            guard let position = CursorText.decode(text, for: sort) else { throw .invalidCursor }
            cursor = .before(position)
        } else {
            cursor = nil
        }
    }

    package var request: PageRequest {
        PageRequest(sort: sort, cursor: cursor, size: size)
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
}
