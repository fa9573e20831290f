/// The options of a to-many property, declared with `@Relationship`.
///
/// ```swift
/// @Relationship(deleteRule: .deny, minimumModelCount: 1, inverse: \Author.books)
/// var authors: Related<Author>
/// ```
public struct RelationshipOptions: Sendable {
    package let options: Set<RelationshipOption>
    package let deleteRule: DeleteRule
    /// The declared smallest number, which ``Schema`` validates.
    package let minimumModelCount: Int?
    package let maximumModelCount: Int?
    package let originalName: String?
    package let inverse: (any AnyKeyPath & Sendable)?

    /// Creates the options of a to-many property.
    ///
    /// - Parameters:
    ///   - options: Further options of the relation.
    ///   - deleteRule: The effect on the related records when the record that has the property is deleted.
    ///   - minimumModelCount: The smallest number of related records; nil for no lower bound.
    ///   - maximumModelCount: The largest number of related records; nil for no upper bound.
    ///   - originalName: The former name of the property of a many-to-many relation. Its links move to the new name.
    ///   - inverse: The property of the related model that is the other side; nil where that property names this one.
    public init(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = nil,
        maximumModelCount: Int? = nil, originalName: String? = nil, inverse: (any AnyKeyPath & Sendable)? = nil
    ) {
        self.options = Set(options)
        self.deleteRule = deleteRule
        self.minimumModelCount = minimumModelCount
        self.maximumModelCount = maximumModelCount
        self.originalName = originalName
        self.inverse = inverse
    }
}

/// A further option of a relation, declared with `@Relationship`.
public enum RelationshipOption: Sendable, Hashable {
    /// A relation of a model with itself that is its own inverse. When a record is a friend of another, the other is a
    /// friend of the first.
    ///
    /// ```swift
    /// @Relationship(.symmetric) var friends: Related<Person>
    /// ```
    case symmetric
}
