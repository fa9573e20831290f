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
