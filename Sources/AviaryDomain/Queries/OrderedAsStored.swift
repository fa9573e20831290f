import Foundation

/// A type whose stored values have the order of its own `<`. The `<` of any other type may define another order.
package protocol OrderedAsStored: StoredValue, Comparable {}

extension String: OrderedAsStored {}
extension Int: OrderedAsStored {}
extension Int8: OrderedAsStored {}
extension Int16: OrderedAsStored {}
extension Int32: OrderedAsStored {}
extension Int64: OrderedAsStored {}
extension UInt: OrderedAsStored {}
extension UInt8: OrderedAsStored {}
extension UInt16: OrderedAsStored {}
extension UInt32: OrderedAsStored {}
extension UInt64: OrderedAsStored {}
extension Double: OrderedAsStored {}
extension Float: OrderedAsStored {}
// This is true within one property. To compare several properties, convert their values to one scale first.
extension Decimal: OrderedAsStored {}
extension Date: OrderedAsStored {}
extension CalendarDate: OrderedAsStored {}
extension UUID: OrderedAsStored {}

protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
}

extension QueryExpression {
    /// Returns the expression that the store sorts as the type's own `<` does; nil when the store does not know that
    /// order. Nil is the smallest value, as in the store.
    func ordered(as type: Any.Type) -> QueryExpression? {
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        if type is any OrderedAsStored.Type { return self }
        guard let choice = type as? any (Choice & Comparable).Type else { return nil }
        return mapped(choice.orderedRanks)
    }

    /// Maps the values of the expression. A constant is replaced by its mapped value.
    private func mapped(_ values: [FieldValue: FieldValue]) -> QueryExpression {
        guard case .constant(let value) = self else { return .mapped(self, values) }
        return .constant(values[value] ?? .null)
    }
}

extension Choice where Self: Comparable {
    /// The rank of each choice: the number of choices that are less than it. There are few enough to call `<` for each
    /// pair.
    fileprivate static var orderedRanks: [FieldValue: FieldValue] {
        ranks { choice in allCases.count { $0 < choice } }
    }
}

extension QueryTranslation {
    /// Returns the expression that the store compares in place of a value of the type.
    func ordered(_ expression: QueryExpression, as type: Any.Type) throws(QueryError) -> QueryExpression {
        if let ordered = expression.ordered(as: type) { return ordered }
        throw error(
            "An order of \(type)",
            "is not known to the store, which orders texts, numbers, dates, UUIDs and choices. Compare with `==`, or with a list of values."
        )
    }
}
