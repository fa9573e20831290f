/// What `@Relationship` says of a to-many property.
///
/// ```swift
/// @Relationship(deleteRule: .deny, minimumModelCount: 1, inverse: \Author.books)
/// var authors: Related<Author>
/// ```
public struct RelationshipOptions: Sendable {
    package let options: Set<RelationshipOption>
    package let deleteRule: DeleteRule
    /// As written; ``Schema`` checks that it makes sense.
    package let minimumModelCount: Int?
    package let maximumModelCount: Int?
    package let originalName: String?
    package let inverse: (any AnyKeyPath & Sendable)?

    /// - Parameters:
    ///   - options: What else holds for the relation.
    ///   - deleteRule: What happens to the related records when the record that has the property is deleted.
    ///   - minimumModelCount: How many related records there must be at least; nil for none.
    ///   - maximumModelCount: How many there may be at most; nil for any number.
    ///   - originalName: What the property of a many-to-many relation was called before: its links move along.
    ///   - inverse: The property of the related model that is the other side; nil where the other side names this one.
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

/// What `@Relationship` can say of a relation beside its sides.
public enum RelationshipOption: Sendable, Hashable {
    /// A relation of a model with itself that is its own inverse: who is somebody's friend has him as a friend.
    ///
    /// ```swift
    /// @Relationship(.symmetric) var friends: Related<Person>
    /// ```
    case symmetric
}
