import Foundation

/// A type whose stored values have the order of its own `<`. Any other type may mean something else by it.
package protocol OrderedAsStored: StoredValue, Comparable {}

extension String: OrderedAsStored {}
extension Int: OrderedAsStored {}
extension Double: OrderedAsStored {}
extension Date: OrderedAsStored {}
extension CalendarDate: OrderedAsStored {}
extension UUID: OrderedAsStored {}

/// Nil counts as least, as in the store.
func isOrderedAsStored(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalType.Type { return isOrderedAsStored(optional.wrapped) }
    return type is any OrderedAsStored.Type
}

private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension QueryTranslation {
    func checkOrder(of type: Any.Type) throws(QueryError) {
        guard isOrderedAsStored(type) else {
            throw error(
                "An order of \(type)",
                "is not known to the store, which orders texts, numbers, dates and UUIDs. Compare with `==`, or with a list of values."
            )
        }
    }
}
