public import Foundation

/// A sort key for a property whose type has no `<` of its own.
///
/// It is safe to send, because it consists of a sendable key path only.
package struct SortRank<Root, Value>: Hashable, @unchecked Sendable {
    fileprivate let keyPath: KeyPath<Root, Value>
}

extension Model {
    package subscript(rank property: SortRank<Self, Bool>) -> Int { self[keyPath: property.keyPath] ? 1 : 0 }

    package subscript(rank property: SortRank<Self, Bool?>) -> Int? {
        self[keyPath: property.keyPath].map { $0 ? 1 : 0 }
    }

    package subscript<C: Choice>(rank property: SortRank<Self, C>) -> Int { self[keyPath: property.keyPath].position }

    package subscript<C: Choice>(rank property: SortRank<Self, C?>) -> Int? {
        self[keyPath: property.keyPath]?.position
    }
}

extension Choice {
    /// The position among the cases, in the order of their declaration.
    fileprivate var position: Int { Self.allCases.enumerated().first { $0.element == self }?.offset ?? 0 }
}

extension SortDescriptor where Compared: Model {
    /// Creates a sort descriptor for a Boolean property, with false before true.
    ///
    /// ```swift
    /// FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.isTame, order: .reverse), SortDescriptor(\.name)])
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The property to sort by.
    ///   - order: The direction of the order; forward by default.
    public init(_ keyPath: any KeyPath<Compared, Bool> & Sendable, order: SortOrder = .forward) {
        self.init(\Compared[rank: SortRank(keyPath: keyPath)], order: order)
    }

    /// Creates a sort descriptor for an optional Boolean property, with nil before false and false before true.
    ///
    /// ```swift
    /// FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.isTagged)])
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The property to sort by.
    ///   - order: The direction of the order; forward by default.
    public init(_ keyPath: any KeyPath<Compared, Bool?> & Sendable, order: SortOrder = .forward) {
        self.init(\Compared[rank: SortRank(keyPath: keyPath)], order: order)
    }

    /// Creates a sort descriptor for a choice, in the order in which its cases are declared.
    ///
    /// ```swift
    /// FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.diet), SortDescriptor(\.name)])
    /// ```
    ///
    /// A choice that is `Comparable` is sorted by its own `<` instead.
    ///
    /// - Parameters:
    ///   - keyPath: The property to sort by.
    ///   - order: The direction of the order; forward by default.
    @_disfavoredOverload
    public init<C: Choice>(_ keyPath: any KeyPath<Compared, C> & Sendable, order: SortOrder = .forward) {
        self.init(\Compared[rank: SortRank(keyPath: keyPath)], order: order)
    }

    /// Creates a sort descriptor for an optional choice, with nil before the cases in the order of their declaration.
    ///
    /// ```swift
    /// FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.secondDiet)])
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The property to sort by.
    ///   - order: The direction of the order; forward by default.
    @_disfavoredOverload
    public init<C: Choice>(_ keyPath: any KeyPath<Compared, C?> & Sendable, order: SortOrder = .forward) {
        self.init(\Compared[rank: SortRank(keyPath: keyPath)], order: order)
    }
}

extension PropertySchema {
    /// Returns the expression that sorts the values when the key path is this property's rank, or nil for any other key
    /// path.
    func rank<M: Model>(at keyPath: PartialKeyPath<M>) -> QueryExpression? {
        if let truth = self.keyPath as? KeyPath<M, Bool> {
            return keyPath == \M[rank: SortRank(keyPath: truth)] ? .property(name) : nil
        }
        if let truth = self.keyPath as? KeyPath<M, Bool?> {
            return keyPath == \M[rank: SortRank(keyPath: truth)] ? .property(name) : nil
        }
        return choiceType.flatMap { rank(at: keyPath, of: $0) }
    }

    private func rank<M: Model, C: Choice>(at keyPath: PartialKeyPath<M>, of choice: C.Type) -> QueryExpression? {
        let isRank =
            if let always = self.keyPath as? KeyPath<M, C> {
                keyPath == \M[rank: SortRank(keyPath: always)]
            } else if let sometimes = self.keyPath as? KeyPath<M, C?> {
                keyPath == \M[rank: SortRank(keyPath: sometimes)]
            } else {
                false
            }
        return isRank ? .mapped(.property(name), C.ranks { $0.position }) : nil
    }

    /// The Swift type of a choice, optional or not.
    private var choiceType: (any Choice.Type)? {
        let type = Swift.type(of: keyPath).valueType
        return (type as? any Choice.Type) ?? (type as? any OptionalType.Type)?.wrapped as? any Choice.Type
    }
}

extension Choice {
    static func ranks(_ rank: (Self) -> Int) -> [FieldValue: FieldValue] {
        Dictionary(allCases.map { ($0.fieldValue, .integer(Int64(rank($0)))) }, uniquingKeysWith: { first, _ in first })
    }
}

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
