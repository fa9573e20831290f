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
        return .expression(.arithmetic(operation, number, try translation.expression(of: lhs), try translation.expression(of: rhs)))
    }
}

extension PredicateExpressions.UnaryMinus: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        .expression(.negative(try translation.number(Wrapped.Output.self), try translation.expression(of: wrapped)))
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
        case is Int.Type: return .integer
        case is Double.Type: return .double
        default: throw error("A calculation with \(type)", "is not known to the store. Calculate with Int or Double.")
        }
    }

    /// Swift stops at a division of integers by zero, and goes on with infinity in one of doubles.
    fileprivate mutating func division(
        _ operation: QueryExpression.Arithmetic, _ type: Any.Type, _ dividend: any PredicateExpression, _ divisor: any PredicateExpression
    ) throws(QueryError) -> QueryExpression {
        let number = try number(type)
        let dividend = try expression(of: dividend), divisor = try expression(of: divisor)
        switch divisor {
        case .constant(.integer(let value)) where value != 0 && value != -1: break
        case .constant(.real(let value)) where value != 0: break
        default:
            throw error("A division", "can only be asked with a constant that is not zero (and, of integers, not -1). Compare with a product instead.")
        }
        return .arithmetic(operation, number, dividend, divisor)
    }
}
