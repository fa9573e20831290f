import AviaryDomain
import Foundation

/// The statements of a list sorted by one property, or by id.
struct ListStatement: Sendable {
    private let selection: String
    private let filterClause: FilterClause?
    private let idColumn: String
    private let dialect: any SQLDialect
    /// The column that the list is sorted by; nil for the id.
    private let sortColumn: String?
    private let ignoresCase: Bool
    private let isNullable: Bool
    /// The index of the sort column among the stored properties; nil for the id.
    let sortIndex: Int?
    /// A lower bound of the values of the column.
    private let leastValue: FieldValue

    init(_ table: ModelTable, selection: String, sortedBy index: Int?, filterClause: FilterClause? = nil) {
        self.selection = selection
        self.filterClause = filterClause
        let walksSortIndex = filterClause?.walksSortIndex ?? true
        func column(_ name: String) -> String { walksSortIndex ? name : table.dialect.withoutIndex(name) }
        idColumn = column("record.id")
        dialect = table.dialect
        sortIndex = index
        isNullable = index.map { table.model.storedProperties[$0].isOptional } ?? false
        // A text column would compare a number as text.
        leastValue =
            switch index.map({ table.model.storedProperties[$0].type.storage }) {
            case .integer: .integer(.min)
            case .real: .real(-.infinity)
            case .text, .blob, nil: .text("")
            }
        sortColumn = index.flatMap { index in
            guard table.columns.indices.contains(index) else { return nil }
            return column("record." + table.columns[index])
        }
        ignoresCase = index.map { table.model.storedProperties[$0].isSortedIgnoringCase } ?? false
    }

    /// Returns the SQL text that reads a range of the list. ``parameters(_:limit:)`` returns the values of its
    /// parameters, the last of which is the limit.
    func sql(_ range: KeysetRange, upwards: Bool) -> String {
        let beyond = upwards ? ">" : "<"
        let idOrder = dialect.orderOfKey(idColumn, upwards: upwards)
        guard let sortColumn else {
            return "\(selection)\(place(range == .all ? nil : "\(idColumn) \(beyond) ?")) ORDER BY \(idOrder) LIMIT ?"
        }
        // The expression must equal that of the index.
        let key = ignoresCase ? dialect.ignoringCase(sortColumn) : sortColumn
        let condition: String? =
            switch range {
            case .all: nil
            case .nulls: "\(key) IS NULL AND \(idColumn) \(beyond) ?"
            case .allNulls: "\(key) IS NULL"
            case .same: "\(compare(sortColumn, "=")) AND \(idColumn) \(beyond) ?"
            case .values: compare(sortColumn, beyond)
            // IS NOT NULL would read the nulls to skip them. Every other value is at least the least value.
            case .allValues: compare(sortColumn, ">=")
            }
        return "\(selection)\(place(condition)) ORDER BY \(dialect.order(key, upwards: upwards)), \(idOrder) LIMIT ?"
    }

    private func compare(_ column: String, _ operation: String) -> String {
        ignoresCase ? dialect.comparisonIgnoringCase(column, operation, "?") : "\(column) \(operation) ?"
    }

    /// Returns the clause with the position in the list and the filter.
    private func place(_ condition: String?) -> String {
        let conditions = [condition, filterClause?.text].compactMap(\.self)
        return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }

    func parameters(_ range: KeysetRange, limit: Int) -> [FieldValue] {
        let place: [FieldValue] =
            switch range {
            case .all, .allNulls: []
            case .nulls(let id): [.text(id.canonicalText)]
            case .same(_, let id) where sortColumn == nil: [.text(id.canonicalText)]
            case .same(let value, let id): [value, .text(id.canonicalText)]
            case .values(let value): [value]
            case .allValues: [leastValue]
            }
        return place + (filterClause?.values ?? []) + [.integer(Int64(limit))]
    }

    /// Returns the ranges after a position. A list that is sorted by id has a position that consists of the id
    /// only.
    func ranges(beyond position: KeysetPosition?, upwards: Bool) -> [KeysetRange] {
        guard sortColumn == nil else {
            return KeysetRange.ranges(beyond: position, upwards: upwards).filter { isNullable || !$0.isOfNulls }
        }
        return [position.map { .same(.null, beyond: $0.id) } ?? .all]
    }
}

/// The strategy to read a filtered list so that the work for a page is bounded.
///
/// Either the list is walked in its order and each record is tested, which is fast if many match. Or the index of
/// one condition finds all candidates, which are then sorted; this is fast if there are few. The indexes themselves
/// are used to decide, because the engine's statistics would be as old as their last run.
///
/// The length of a walk is not known beforehand: the flights of an airline, whose names begin with its code, are
/// all at one place of the list, and it may be the last. A walk therefore has a limit, after which the matches are
/// collected.
struct ListPlan: Sendable {
    enum AccessPath: Sendable, Hashable {
        case walk
        /// The collection through the index of the condition at this position.
        case collect(Int)
    }

    let way: AccessPath
    /// The condition with the fewest candidates, if they are few. Its index collects the records if a walk takes too
    /// long.
    let leader: Int?
    /// The number of matches, if the decision revealed it.
    let matches: MatchCount?

    /// Returns the number up to which the candidates of each of several conditions are few, and counted.
    ///
    /// The number for a single condition is also shown. That of one of several conditions decides only whether its
    /// candidates are collected, so that many need not be counted.
    static func mostCounted(_ conditions: Int) -> Int { conditions == 1 ? MatchCount.mostCounted : 1_000 }

    /// Chooses a strategy.
    ///
    /// - Parameters:
    ///   - found: The number of records that the index of each condition finds, up to one more than
    ///     ``mostCounted(_:)``; nil if it has no index or the number is not known.
    ///   - total: The number of records of the model.
    ///   - size: The number of records per page.
    init(found: [Int?], total: Int, size: Int) {
        let most = Self.mostCounted(found.count)
        let few = found.enumerated().compactMap { index, count in
            count.flatMap { $0 <= most ? (index: index, count: $0) : nil }
        }.min { $0.count < $1.count }
        if found.count == 1, case .some(let count?) = found.first {
            matches = count <= most ? .exactly(count) : .atLeast(most)
        } else {
            matches = few?.count == 0 ? .exactly(0) : nil
        }
        leader = few?.index
        guard let few else {
            way = .walk
            return
        }
        // A walk finds a page of evenly distributed matches among this number of records: size * total / count.
        let isQuickerToWalk = found.count == 1 && few.count * few.count > size * total
        way = isQuickerToWalk ? .walk : .collect(few.index)
    }
}

/// A part of a list that is one range of the sort index. Nulls come first in the index.
///
/// "Everything after this record" consists of several ranges, which run one after the other until the page is full.
/// An OR of them would read the whole index, and so would a row value, (a, b) > (?, ?), with a collation.
enum KeysetRange: Hashable {
    /// The whole index.
    case all
    /// The nulls beyond an id.
    case nulls(beyond: UUID)
    case allNulls
    /// The same value beyond an id.
    case same(FieldValue, beyond: UUID)
    case values(beyond: FieldValue)
    case allValues
}

extension KeysetRange {
    /// Returns the ranges after the position, in the order in which the index is walked.
    ///
    /// - Parameter upwards: Indicates whether the index is walked in its own order.
    static func ranges(beyond position: KeysetPosition?, upwards: Bool) -> [KeysetRange] {
        guard let position else { return [.all] }
        switch (position.value.isNull, upwards) {
        case (true, true): return [.nulls(beyond: position.id), .allValues]
        case (true, false): return [.nulls(beyond: position.id)]
        case (false, true): return [.same(position.value, beyond: position.id), .values(beyond: position.value)]
        case (false, false):
            return [.same(position.value, beyond: position.id), .values(beyond: position.value), .allNulls]
        }
    }

    var isOfNulls: Bool {
        switch self {
        case .nulls, .allNulls: true
        case .all, .same, .values, .allValues: false
        }
    }
}

extension FieldValue {
    /// Indicates whether a column sorts the value before the other, which must be of the same column.
    ///
    /// Numbers are compared by their size, texts by their bytes.
    func precedes(_ other: FieldValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }
}

/// A query of one model as a statement and the values of its parameters.
struct FetchSQL {
    let text: String
    let values: [FieldValue]
    /// Indicates whether the statement can fail for the values of a record.
    let calculates: Bool

    /// Creates the statement of a query.
    ///
    /// - Parameter columns: The selected columns as SQL text.
    /// - Throws: ``QueryError`` if it names a property that the model does not store.
    init(
        _ query: RecordQuery, of table: ModelTable, _ aids: QueryIndexes, selecting columns: String
    ) throws(QueryError) {
        var condition = ConditionSQL(table.model, table.dialect, aids)
        var text = "SELECT \(columns) FROM \(table.name)"
        if let expression = query.condition { text += " WHERE " + (try condition.filter(expression)) }
        var order: [String] = []
        for part in query.order {
            let column = try condition.text(part.expression)
            order.append(table.dialect.order(column, upwards: part.direction == .ascending))
        }
        text += " ORDER BY " + (order + ["id"]).joined(separator: ", ")
        if query.limit != nil || query.offset > 0 {
            let limit = condition.parameter(.integer(Int64(query.limit ?? .max)))
            text += " LIMIT \(limit) OFFSET \(condition.parameter(.integer(Int64(query.offset))))"
        }
        self.text = text
        values = condition.values
        calculates = condition.calculates
    }

    /// Creates the statement that counts the records of the query.
    init(counting query: RecordQuery, of table: ModelTable, _ aids: QueryIndexes) throws(QueryError) {
        var unordered = query
        unordered.order = []
        let records = try FetchSQL(unordered, of: table, aids, selecting: "id")
        text = "SELECT count(*) FROM (\(records.text)) AS found"
        values = records.values
        calculates = records.calculates
    }
}

/// The indexes of a file that make a query fast and do not change its result.
struct QueryIndexes: Sendable {
    /// The indexes by which lists can be sorted.
    var sortIndexes: Set<SortIndex> = []
    /// The properties with a text index.
    var searchColumns: Set<SearchColumn> = []

    static let none = QueryIndexes()
}

extension QueryIndexes {
    init(of connection: any Connection) throws {
        self.init(sortIndexes: try SortIndex.all(in: connection), searchColumns: try SearchColumn.all(in: connection))
    }
}

extension QueryIndexes {
    /// Indicates whether the file has an index that finds exactly the records that fulfil the condition, if short parts
    /// are found as well.
    func finds(_ condition: QueryExpression, of table: ModelTable) -> Bool {
        switch condition {
        case .isMember(.property(let name), _), .equal(.property(let name), .constant),
            .ordered(_, .property(let name), .constant):
            return isSorted(name, of: table) || table.references.contains { $0.property == name }
        case .startsIgnoringCase(let name, _): return isSorted(name, of: table)
        case .contains(.folded(.property(let name)), .constant(.text(let part))):
            return searchColumns.contains(SearchColumn(model: table.model.name, property: name))
                && !part.isEmpty
        case .related: return true
        case .and: return condition.conjuncts.contains { finds($0, of: table) }
        case .or: return condition.disjuncts.allSatisfy { finds($0, of: table) }
        default: return false
        }
    }

    /// Indicates whether testing one record after the other is fast: a comparison with stored values, without a
    /// search in texts.
    func comparesQuickly(_ condition: QueryExpression) -> Bool {
        switch condition {
        case .isMember(.property, _), .equal(.property, .constant), .ordered(_, .property, .constant), .related,
            .startsIgnoringCase:
            true
        case .not(let condition): comparesQuickly(condition)
        case .and: condition.conjuncts.allSatisfy(comparesQuickly)
        case .or: condition.disjuncts.allSatisfy(comparesQuickly)
        default: false
        }
    }

    private func isSorted(_ property: String, of table: ModelTable) -> Bool {
        sortIndexes.contains(SortIndex(model: table.model.name, property: property))
    }
}
