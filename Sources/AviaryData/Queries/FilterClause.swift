import AviaryDomain

/// The filter of a list, as a part of a statement over the model's table as `record`.
struct FilterClause: Sendable {
    let text: String
    let values: [FieldValue]
    /// Indicates whether the statement reads the sort index in the order of the list and tests each record.
    ///
    /// Otherwise the statement finds the records through the index of one condition, and sorts them.
    let walksSortIndex: Bool
}

extension FilterClause {
    /// Creates the filter.
    ///
    /// - Parameters:
    ///   - way: The strategy that finds the records.
    ///   - sort: The property that the list is sorted by; nil for the id.
    /// - Throws: ``QueryError`` if a condition names a property that the model does not store.
    init(
        _ conditions: [QueryExpression], _ way: ListPlan.AccessPath, sortedBy sort: String?, of table: ModelTable,
        _ aids: QueryIndexes
    ) throws(QueryError) {
        var texts: [String] = [], values: [FieldValue] = []
        func add(_ condition: QueryExpression, avoidingIndexes: Bool) throws(QueryError) {
            var sql = ConditionSQL(table.model, table.dialect, aids)
            sql.avoidsIndexes = avoidingIndexes
            sql.findsShortParts = !avoidingIndexes
            texts.append(try sql.filter(condition))
            values += sql.values
        }
        for (index, condition) in conditions.enumerated() {
            switch way {
            case .collect(let driver): try add(condition, avoidingIndexes: index != driver)
            case .walk:
                for bound in sort.map(condition.bounds) ?? [] { try add(bound, avoidingIndexes: false) }
                try add(condition, avoidingIndexes: true)
            }
        }
        self.init(text: texts.joined(separator: " AND "), values: values, walksSortIndex: way == .walk)
    }
}

extension QueryExpression {
    /// Returns the bounds of the property's values that the condition implies. A walk in the property's order
    /// starts and ends there.
    fileprivate func bounds(of property: String) -> [QueryExpression] {
        switch self {
        case .startsIgnoringCase(property, _), .ordered(_, .property(property), .constant),
            .equal(.property(property), .constant):
            return [self]
        case .and(let left, let right): return left.bounds(of: property) + right.bounds(of: property)
        case .or: return beginning(of: property).map { [.startsIgnoringCase(property: property, $0)] } ?? []
        case .isMember(.property(property), let list):
            guard !list.contains(.null), let least = list.min(by: { $0.precedes($1) }),
                let greatest = list.max(by: { $0.precedes($1) })
            else { return [] }
            return [
                .ordered(.greaterOrEqual, .property(property), .constant(least)),
                .ordered(.lessOrEqual, .property(property), .constant(greatest)),
            ]
        default: return []
        }
    }

    /// Returns the prefix that the property's values have whichever of the conditions is true, such as that of all
    /// spellings of a text.
    private func beginning(of property: String) -> String? {
        let beginnings = disjuncts.map { condition in
            if case .startsIgnoringCase(property, let text) = condition {
                Array(text.unicodeScalars)
            } else {
                [Unicode.Scalar]()
            }
        }
        guard let first = beginnings.first else { return nil }
        let common = beginnings.reduce(first) { common, next in
            zip(common, next).prefix { $0.0 == $0.1 }.map(\.0)
        }
        return common.isEmpty ? nil : String(String.UnicodeScalarView(common))
    }
}

/// The range of the texts with a prefix in a case-insensitive index, from the first text to before the second.
///
/// Only ASCII letters have a case there. Other characters are compared by their bytes, which is the order of their
/// code points.
struct PrefixRange: Hashable {
    let lower: String
    /// The end of the range; nil if no text follows.
    let upper: String?

    init(_ prefix: String) {
        lower = prefix
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            guard let next = Self.scalar(after: last) else { continue }
            var upper = String.UnicodeScalarView(scalars)
            upper.append(next)
            self.upper = String(upper)
            return
        }
        upper = nil
    }

    private static func scalar(after scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // The index compares capitals as small letters, which come later.
        let folded = ("A"..."Z").contains(scalar) ? scalar.value + 32 : scalar.value
        switch folded {
        case 0x40: return "["
        case 0xD7FF: return "\u{E000}"
        default: return Unicode.Scalar(folded + 1)
        }
    }
}
