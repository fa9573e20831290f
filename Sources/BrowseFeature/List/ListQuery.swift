package import AviaryDomain
import Foundation

/// The part of a list that an address specifies: search and filters, sort order, position and page size.
package struct ListQuery: Sendable, Hashable {
    package let sort: ListOrder
    package let cursor: PageCursor?
    package let size: Int
    /// The search text; nil without a search.
    package let search: String?
    /// The filter settings, at most one per property.
    package let settings: [FilterSetting]
    /// The search and filters as fields of an address.
    let filterFields: [FormField]

    private static let defaultSize = 50
    private static let sizes = 1...200

    package init(sort: ListOrder, cursor: PageCursor? = nil, size: Int = ListQuery.standardSize) {
        self.init(sort: sort, cursor: cursor, size: size, search: nil, settings: [], filterFields: [])
    }

    init(
        sort: ListOrder, cursor: PageCursor?, size: Int, search: String?, settings: [FilterSetting],
        filterFields: [FormField]
    ) {
        self.sort = sort
        self.cursor = cursor
        self.size = size
        self.search = search
        self.settings = settings
        self.filterFields = filterFields
    }

    package static var standardSize: Int { defaultSize }

    /// Parses `q=`, `filter.FIELD=VALUE` (repeated to match any of the values), `filter.FIELD.from=`, `.to=` and
    /// `.empty=1`, `sort=name|-name`, `after=` or `before=`, and `size=`.
    ///
    /// - Throws: ``ListQueryError`` for an unknown column or filter, an invalid value, a repeated field that can
    ///   only occur once, or a position that was not made for this order and these filters.
    package init(_ fields: [FormField], for configuration: ModelConfiguration) throws(ListQueryError) {
        if let name = fields.repeatedName { throw .ambiguous(name: name) }
        sort = try Self.sort(fields.value("sort"), for: configuration)
        search = try Self.search(fields.value("q"), for: configuration)
        settings = try FilterReader(configuration: configuration).settings(fields)
        filterFields = Self.fields(search, settings, of: configuration)
        if let text = fields.value("size") {
            guard let size = Int(text), Self.sizes.contains(size) else { throw .invalidSize }
            self.size = size
        } else {
            size = Self.defaultSize
        }
        let binding = CursorBinding(sort, filterFields)
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

    /// Indicates whether the query has a search or filters.
    package var isFiltered: Bool { !filterFields.isEmpty }

    /// Returns the request for a page of the list.
    ///
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

    /// Returns the conditions that all records of the list satisfy.
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

/// The error for an address that the list cannot show.
package enum ListQueryError: Error, Sendable, Hashable {
    case unknownColumn
    case invalidCursor
    case invalidSize
    /// A field occurs more than once.
    case ambiguous(name: String)
    case unknownFilter
    /// A filter's value is invalid. The case contains the filter's label and advice for the user.
    case unreadable(filter: String, advice: String)
    case tooManyValues(filter: String)
    case noSearch
    case searchTooLong
    /// The search contains a character that no stored text can contain.
    case unreadableSearch
}

extension ListQuery {
    /// The largest size of a search text in bytes. Users do not search for longer texts.
    static let longestSearch = 200

    static func search(_ text: String?, for configuration: ModelConfiguration) throws(ListQueryError) -> String? {
        // The text is split by Unicode scalars. A combining mark after a space forms one character with it, and a
        // name may start with such a mark.
        let words = (text ?? "").unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init)
            .joined(separator: " ")
        guard !words.isEmpty else { return nil }
        guard configuration.isSearchable else { throw .noSearch }
        guard !words.utf8.contains(0) else { throw .unreadableSearch }
        guard words.utf8.count <= longestSearch else { throw .searchTooLong }
        return words
    }
}

extension ListQuery {
    /// Returns the query string that leads to this page again. Default values are omitted.
    package func text(for configuration: ModelConfiguration) -> String {
        FormEncoding.encode(fields(for: configuration))
    }

    /// Returns the query string with a panel open next to the list.
    func text(for configuration: ModelConfiguration, panel: String) -> String {
        FormEncoding.encode(fields(for: configuration) + [FormField(name: "panel", value: panel)])
    }

    func fields(for configuration: ModelConfiguration) -> [FormField] {
        var fields = filterFields
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

    private var binding: CursorBinding { CursorBinding(sort, filterFields) }

    func moved(to cursor: PageCursor?) -> ListQuery {
        ListQuery(
            sort: sort, cursor: cursor, size: size, search: search, settings: settings, filterFields: filterFields)
    }

    /// Returns the first page of the list sorted by the column. If it is already sorted by it in ascending order,
    /// the order is reversed.
    func sorted(by property: String) -> ListQuery {
        let isReversing = sort.property == property && sort.direction == .ascending
        return ListQuery(
            sort: ListOrder(property: property, direction: isReversing ? .descending : .ascending), cursor: nil,
            size: size,
            search: search, settings: settings, filterFields: filterFields
        )
    }

    /// Returns the first page of the list with another search and other filters.
    func filtered(
        search: String?, settings: [FilterSetting], for configuration: ModelConfiguration
    ) -> ListQuery {
        ListQuery(
            sort: sort, cursor: nil, size: size, search: search, settings: settings,
            filterFields: Self.fields(search, settings, of: configuration)
        )
    }

    static func fields(
        _ search: String?, _ settings: [FilterSetting], of configuration: ModelConfiguration
    ) -> [FormField] {
        (search.map { [FormField(name: "q", value: $0)] } ?? []) + settings.flatMap { $0.fields(of: configuration) }
    }
}

extension ListOrder {
    /// The order as text: `name`, or `-name` for descending.
    var text: String {
        direction == .descending ? "-" + property : property
    }
}

extension ListQuery {
    /// Returns the query that exports the complete list in its order.
    package func exported(for configuration: ModelConfiguration) -> ExportQuery {
        ExportQuery(conditions: conditions(for: configuration), order: sort)
    }
}

/// The encoding of a list position as text for an address, bound to the list that it was made for.
///
/// The text is neither secret nor trusted: its value is used only as a bound parameter.
enum CursorText {
    static func encode(_ position: KeysetPosition, for binding: CursorBinding) -> String {
        let parts = [binding.text, position.id.canonicalText, tagged(position.value)]
        return Base64URL.encode(Array(parts.joined(separator: "\n").utf8))
    }

    static func decode(_ text: String, for binding: CursorBinding) -> KeysetPosition? {
        guard let bytes = Base64URL.decode(text), let content = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        // The text is split by bytes. A value may start with a combining mark, which would merge with the tag or
        // the line break into one character.
        let parts = content.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual(binding.text.utf8),
            let id = UUID(canonicalText: Substring(parts[1])),
            let value = value(parts[2])
        else { return nil }
        return KeysetPosition(value: value, id: id)
    }

    private static func tagged(_ value: FieldValue) -> String {
        switch value {
        case .null, .blob: "n"
        case .integer(let number): "i\(number)"
        case .real(let number): "r\(number.bitPattern)"
        case .text(let text): "t\(text)"
        }
    }

    private static func value(_ text: Substring.UTF8View) -> FieldValue? {
        let content = Substring(text.dropFirst())
        switch text.first {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "i"): return Int64(content).map(FieldValue.integer)
        case UInt8(ascii: "r"): return UInt64(content).map { .real(Double(bitPattern: $0)) }
        case UInt8(ascii: "t"): return .text(String(content))
        default: return nil
        }
    }
}

/// The list that a position belongs to: its order, search and filters. In another list, the position would be a
/// different one.
struct CursorBinding: Sendable, Hashable {
    let text: String

    init(_ sort: ListOrder, _ filterFields: [FormField] = []) {
        text = filterFields.isEmpty ? sort.text : sort.text + " " + Self.digest(FormEncoding.encode(filterFields))
    }

    private static func digest(_ text: String) -> String {
        var hash = FNV1a()
        hash.add(text)
        return String(hash.value, radix: 36)
    }
}
