import AviaryDomain

/// A search in the text index of a model: all of the parts, or one of them, occur in the texts of a record.
///
/// The index answers it as a whole, except for parts that are too short for it. A statement for each part would list all records of a frequent part, such as
/// those whose names contain "the", to find the few of a rare one.
package indirect enum TextSearch: Sendable, Hashable {
    /// The text of a column of the search table contains a folded part, which is not empty.
    case part(String, column: String)
    case all([TextSearch])
    case any([TextSearch])
}

extension TextSearch {
    /// The largest number of parts of one search. Engines limit the number of queries in a union and the length of a
    /// condition.
    private static let mostParts = 100
    /// The maximum number of times that "all" and "any" alternate. The parser of FTS5 has a stack of 100 entries.
    private static let mostLevels = 8

    /// Creates the search of a condition; nil if it is none that the text indexes of the file answer.
    init?(_ condition: QueryExpression, of model: ModelSchema, _ aids: QueryIndexes) {
        self.init(condition, of: model, aids, levels: Self.mostLevels)
        guard partCount <= Self.mostParts else { return nil }
    }

    private init?(_ condition: QueryExpression, of model: ModelSchema, _ aids: QueryIndexes, levels: Int) {
        func searches(_ conditions: [QueryExpression]) -> [TextSearch]? {
            guard levels > 0 else { return nil }
            let searches = conditions.compactMap { TextSearch($0, of: model, aids, levels: levels - 1) }
            return searches.count == conditions.count ? searches : nil
        }
        switch condition {
        case .contains(.folded(.property(let name)), .constant(.text(let part))):
            guard !part.isEmpty, aids.searchColumns.contains(SearchColumn(model: model.name, property: name)) else {
                return nil
            }
            self = .part(part, column: SearchColumn.columnName(of: name))
        case .and:
            guard let parts = searches(condition.conjuncts) else { return nil }
            self = .all(parts)
        case .or:
            guard let parts = searches(condition.disjuncts) else { return nil }
            self = .any(parts)
        default: return nil
        }
    }

    private var partCount: Int {
        switch self {
        case .part: 1
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.partCount }
        }
    }

    /// The number of characters of the shortest part.
    var shortestPart: Int {
        switch self {
        case .part(let part, _): part.unicodeScalars.count
        case .all(let parts), .any(let parts): parts.map(\.shortestPart).min() ?? 0
        }
    }

    /// The number of characters of the shortest part by which records are found; the other parts are only compared.
    var leadingPart: Int {
        switch self {
        case .part(let part, _): part.unicodeScalars.count
        case .all(let parts): parts.map(\.leadingPart).max() ?? 0
        case .any(let parts): parts.map(\.leadingPart).min() ?? 0
        }
    }

    /// Returns the condition that the texts of a row fulfil the search.
    ///
    /// - Parameter contains: A closure that returns the condition that the text of a column contains a part.
    func condition(_ contains: (_ part: String, _ column: String) -> SQLText) -> SQLText {
        func joined(_ parts: [TextSearch], _ operation: String) -> SQLText {
            let conditions = parts.map { $0.condition(contains) }
            return SQLText(
                "(\(conditions.map(\.text).joined(separator: operation)))", conditions.flatMap(\.values))
        }
        switch self {
        case .part(let part, let column): return contains(part, column)
        case .all(let parts): return joined(parts, " AND ")
        case .any(let parts): return joined(parts, " OR ")
        }
    }
}
