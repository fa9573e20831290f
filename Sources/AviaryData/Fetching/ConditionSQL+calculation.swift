import AviaryDomain

extension ConditionSQL {
    /// Swift stops where an integer overflows, and calculates with infinities and with what is not a number; an engine
    /// goes on with something else. A calculation that left its range is an error of the statement.
    mutating func checkedCalculation(_ expression: QueryExpression) throws(QueryError) -> String {
        calculates = true
        let sql = try calculation(expression)
        switch expression {
        case .arithmetic(_, .double, _, _), .negative(.double, _): return dialect.checkedDouble(sql)
        default: return dialect.checkedInteger(sql, again: try calculation(expression))
        }
    }

    private mutating func calculation(_ expression: QueryExpression) throws(QueryError) -> String {
        switch expression {
        case .arithmetic(.remainder, _, let left, let right): "(\(try text(left)) % \(try text(right)))"
        // What has overflowed stays so through these: it is enough to look at the end.
        case .arithmetic(let operation, _, let left, let right):
            "(\(try calculation(left)) \(operation.sql) \(try calculation(right)))"
        case .negative(_, let value): "(- \(try calculation(value)))"
        default: try text(expression)
        }
    }
}

extension QueryExpression.Arithmetic {
    fileprivate var sql: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%"
        }
    }
}
