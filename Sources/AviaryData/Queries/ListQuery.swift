import AviaryDomain
import Foundation

/// The statements of a list sorted by one property, or by id.
struct ListQuery: Sendable {
    private let selection: String
    private let narrowing: Narrowing?
    private let idColumn: String
    private let dialect: any SQLDialect
    /// The column that the list is sorted by; nil for the id.
    private let sortColumn: String?
    private let ignoresCase: Bool
    private let isNullable: Bool
    /// Column of the page's sort value among the stored properties; nil for the id.
    let sortIndex: Int?
    /// A lower bound of the values of the column.
    private let leastValue: FieldValue

    init(_ table: ModelTable, selection: String, sortedBy index: Int?, narrowing: Narrowing? = nil) {
        self.selection = selection
        self.narrowing = narrowing
        let walksSortIndex = narrowing?.walksSortIndex ?? true
        func column(_ name: String) -> String { walksSortIndex ? name : table.dialect.withoutIndex(name) }
        idColumn = column("record.id")
        dialect = table.dialect
        sortIndex = index
        isNullable = index.map { table.model.storedProperties[$0].isOptional } ?? false
        let isNumeric = index.map { table.model.storedProperties[$0].type.isNumeric } ?? false
        // A number would be compared with a text column as a text.
        leastValue = isNumeric ? .real(-.infinity) : .text("")
        sortColumn = index.flatMap { index in
            guard table.columns.indices.contains(index) else { return nil }
            return column("record." + table.columns[index])
        }
        ignoresCase = index.map { table.model.storedProperties[$0].isSortedIgnoringCase } ?? false
    }

    /// The last parameter is the limit.
    func sql(_ range: KeysetRange, upwards: Bool) -> String {
        let beyond = upwards ? ">" : "<"
        let idOrder = dialect.order(idColumn, upwards: upwards)
        guard let sortColumn else {
            return "\(selection)\(place(range == .all ? nil : "\(idColumn) \(beyond) ?")) ORDER BY \(idOrder) LIMIT ?"
        }
        // As the index has it.
        let key = ignoresCase ? dialect.ignoringCase(sortColumn) : sortColumn
        let condition: String? =
            switch range {
            case .all: nil
            case .nulls: "\(key) IS NULL AND \(idColumn) \(beyond) ?"
            case .allNulls: "\(key) IS NULL"
            case .same: "\(compare(sortColumn, "=")) AND \(idColumn) \(beyond) ?"
            case .values: compare(sortColumn, beyond)
            // IS NOT NULL would read the nulls to pass over them; everything that is not null is at least the least.
            case .allValues: compare(sortColumn, ">=")
            }
        return "\(selection)\(place(condition)) ORDER BY \(dialect.order(key, upwards: upwards)), \(idOrder) LIMIT ?"
    }

    private func compare(_ column: String, _ operation: String) -> String {
        ignoresCase ? dialect.comparisonIgnoringCase(column, operation, "?") : "\(column) \(operation) ?"
    }

    /// The place in the list, and by what the list is narrowed.
    private func place(_ condition: String?) -> String {
        let conditions = [condition, narrowing?.text].compactMap(\.self)
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
        return place + (narrowing?.values ?? []) + [.integer(Int64(limit))]
    }

    /// Sorted by id, a position is nothing but the id.
    func ranges(beyond position: KeysetPosition?, upwards: Bool) -> [KeysetRange] {
        guard sortColumn == nil else {
            return KeysetRange.ranges(beyond: position, upwards: upwards).filter { isNullable || !$0.isOfNulls }
        }
        return [position.map { .same(.null, beyond: $0.id) } ?? .all]
    }
}

extension PropertyType {
    fileprivate var isNumeric: Bool { storage == .integer || storage == .real }
}

/// How a narrowed list is read so that the work for a page is bounded. Either the list is walked in its order and each record
/// looked at: quick when many match. Or the index of one condition finds all that can match, and they are sorted: quick when
/// they are few. Which it is the indexes are asked themselves: statistics of the engine's would be as old as their last run.
///
/// How far a walk has to go nobody knows beforehand: where the names of an airline's flights begin with its code, all of them
/// are in one place of the list, and it may be the last. So a walk has an end, and behind it the matches are collected.
struct ListPlan: Sendable {
    enum Way: Sendable, Hashable {
        case walk
        /// By the condition at this place.
        case collect(Int)
    }

    let way: Way
    /// The condition by which the records are collected where a walk takes too long; nil where none has an index.
    let leader: Int?
    /// Whether an index has found no more than ``MatchCount/mostCounted`` that can match.
    let findsFew: Bool
    /// Where finding the way has told it.
    let matches: MatchCount?

    /// - Parameters:
    ///   - found: For each condition how many records its index finds, up to one more than ``MatchCount/mostCounted``; nil
    ///     where it has none or where that is not known.
    ///   - total: All records of the model.
    ///   - size: Of the page.
    init(found: [Int?], total: Int, size: Int) {
        let few = found.enumerated().compactMap { index, count in
            count.flatMap { $0 <= MatchCount.mostCounted ? (index: index, count: $0) : nil }
        }.min { $0.count < $1.count }
        if found.count == 1, case .some(let count?) = found.first {
            matches = count <= MatchCount.mostCounted ? .exactly(count) : .atLeast(MatchCount.mostCounted)
        } else {
            matches = few?.count == 0 ? .exactly(0) : nil
        }
        findsFew = few != nil
        leader = few?.index ?? found.firstIndex { $0 != nil }
        guard let few else {
            way = .walk
            return
        }
        // Walking, a page's worth of matches that are spread evenly is found among so many records: size * total / count.
        let isQuickerToWalk = found.count == 1 && few.count * few.count > size * total
        way = isQuickerToWalk ? .walk : .collect(few.index)
    }
}
