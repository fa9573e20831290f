import Foundation

// Where the store's comparison of what is stored is not that of the Swift type, it is made so here, or refused.
extension QueryTranslation {
    func equality(_ left: QueryExpression, _ right: QueryExpression, of type: Any.Type) throws(QueryError)
        -> QueryExpression
    {
        // Whether something is nil is known of everything.
        if left == .nil || right == .nil { return .equal(left, right) }
        let type = unwrapped(type)
        if type is Decimal.Type {
            guard let pair = try alignedDecimals(left, right) else { return .false }
            return .equal(pair.left, pair.right)
        }
        try checkEquality(of: type)
        return .equal(left, right)
    }

    func order(
        _ ordering: QueryExpression.Ordering, _ left: QueryExpression, _ right: QueryExpression, of type: Any.Type
    ) throws(QueryError) -> QueryExpression {
        if type is Decimal.Type { return try decimalOrder(ordering, left, right) }
        return .ordered(ordering, try ordered(left, as: type), try ordered(right, as: type))
    }

    func membership(_ value: QueryExpression, in list: Any, of type: Any.Type) throws(QueryError) -> QueryExpression {
        let type = unwrapped(type)
        if type is Decimal.Type { return try decimalMembership(value, in: list) }
        try checkEquality(of: type)
        return .isMember(value, of: try constants(list))
    }

    private func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any OptionalType.Type)?.wrapped ?? type }

    /// A struct says itself which of its values are equal, and JSON can write a number in two ways.
    private func checkEquality(of type: Any.Type) throws(QueryError) {
        guard let stored = type as? any StoredValue.Type else {
            // An id, which is one.
            if type is any IdentityType.Type { return }
            throw error(
                "A comparison of \(type)",
                "is not known to the store. Compare the properties that are in it, or filter the result in memory.")
        }
        guard stored.propertyType.isEqualAsStored else {
            throw error(
                "A comparison of \(type)",
                "is not known to the store, which keeps it as JSON. Compare the properties that are in it, ask whether it is nil, or filter the result in memory."
            )
        }
    }
}

extension PropertyType {
    /// A Boolean value that indicates whether values are equal exactly when their stored values are.
    fileprivate var isEqualAsStored: Bool {
        switch self {
        case .json, .toMany: false
        case .array(let element): element.isExactInJSON
        default: true
        }
    }

    /// A Boolean value that indicates whether equal values have equal texts in JSON.
    var isExactInJSON: Bool {
        switch self {
        case .string, .boolean, .integer, .sizedInteger, .date, .calendarDate, .choice, .integerChoice, .url: true
        case .double, .float, .decimal, .uuid, .data, .json, .array, .toOne, .toMany: false
        }
    }
}

private protocol IdentityType {}
extension RecordID: IdentityType {}
