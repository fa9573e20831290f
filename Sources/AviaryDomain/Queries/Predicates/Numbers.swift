import Foundation

extension PredicateExpressions.Arithmetic: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let operation: QueryExpression.Arithmetic
        switch op {
        case .add: operation = .add
        case .subtract: operation = .subtract
        case .multiply: operation = .multiply
        @unknown default: throw translation.error("A calculation", "of a new kind is not known to the store.")
        }
        let number = try translation.number(LHS.Output.self)
        return .expression(
            .arithmetic(operation, number, try translation.expression(of: lhs), try translation.expression(of: rhs)))
    }
}

extension PredicateExpressions.UnaryMinus: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let value = try translation.expression(of: wrapped)
        switch value {
        // A predicate contains the sign of a negative constant as a separate operator.
        case .constant(.integer(let number)) where number != .min: return .expression(.constant(.integer(-number)))
        case .constant(.real(let number)): return .expression(.constant(.real(-number)))
        case .decimal(let number): return .expression(.decimal(-number))
        default: return .expression(.negative(try translation.number(Wrapped.Output.self), value))
        }
    }
}

extension PredicateExpressions.FloatDivision: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(try translation.division(.divide, LHS.Output.self, lhs, rhs))
    }
}

extension PredicateExpressions.IntDivision: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(try translation.division(.divide, LHS.Output.self, lhs, rhs))
    }
}

extension PredicateExpressions.IntRemainder: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(try translation.division(.remainder, LHS.Output.self, lhs, rhs))
    }
}

extension QueryTranslation {
    fileprivate func number(_ type: Any.Type) throws(QueryError) -> QueryExpression.Number {
        switch type {
        case is Int.Type, is Int64.Type: return .integer
        case is Double.Type: return .double
        default:
            throw error("A calculation with \(type)", "is not known to the store. Calculate with Int, Int64 or Double.")
        }
    }

    /// Returns a division by a constant other than zero.
    ///
    /// Swift traps when an integer is divided by zero, and returns infinity for doubles, which the store cannot
    /// reproduce.
    fileprivate mutating func division(
        _ operation: QueryExpression.Arithmetic, _ type: Any.Type, _ dividend: any PredicateExpression,
        _ divisor: any PredicateExpression
    ) throws(QueryError) -> QueryExpression {
        let number = try number(type)
        let dividend = try expression(of: dividend), divisor = try expression(of: divisor)
        switch divisor {
        case .constant(.integer(let value)) where value != 0 && value != -1: break
        case .constant(.real(let value)) where value != 0: break
        default:
            throw error(
                "A division",
                "can only be asked with a constant that is not zero (and, of integers, not -1). Compare with a product instead."
            )
        }
        return .arithmetic(operation, number, dividend, divisor)
    }
}
