import AviaryDomain

extension ConditionSQL {
    /// The condition of a statement: what gives NULL finds nothing there, as what gives 0. So indexes can be used where
    /// ``text(_:)`` would hide the column.
    mutating func filter(_ condition: QueryExpression) throws(QueryError) -> String {
        switch condition {
        case .and: try joined(condition.conjuncts, " AND ") { (part, sql) throws(QueryError) in try sql.filter(part) }
        case .or: try joined(condition.disjuncts, " OR ") { (part, sql) throws(QueryError) in try sql.filter(part) }
        case .isMember(let value, let list) where !list.contains(.null) && !list.isEmpty: try member(value, list)
        default: try text(condition)
        }
    }
}

extension ConditionSQL {
    /// Beside each other: engines read only so many parentheses inside of each other.
    mutating func joined(
        _ conditions: [QueryExpression], _ operation: String,
        _ text: (QueryExpression, inout ConditionSQL) throws(QueryError) -> String
    ) throws(QueryError) -> String {
        var texts: [String] = []
        for condition in conditions { texts.append(try text(condition, &self)) }
        return "(\(texts.joined(separator: operation)))"
    }
}

extension QueryExpression {
    var conjuncts: [QueryExpression] {
        var parts: [QueryExpression] = [], rest = [self]
        while let next = rest.popLast() {
            if case .and(let left, let right) = next { rest += [right, left] } else { parts.append(next) }
        }
        return parts
    }

    var disjuncts: [QueryExpression] {
        var parts: [QueryExpression] = [], rest = [self]
        while let next = rest.popLast() {
            if case .or(let left, let right) = next { rest += [right, left] } else { parts.append(next) }
        }
        return parts
    }
}
