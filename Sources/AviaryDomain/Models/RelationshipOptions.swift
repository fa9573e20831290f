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
    ///   - inverse: The property of the related model that is the other side; nil when that property names this one.
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

/// A rule for the records of a to-many relation when the record that owns the relation is deleted.
///
/// Each side of a many-to-many relation has its own rule. With `.deny` at `Book.authors`, a book that has authors
/// cannot be deleted. With `.nullify` at `Author.books`, an author can be deleted.
///
/// The store applies the rules itself, inside the commit, so that totals and receipts include every deleted record.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// No change. The store rejects the change set when a reference or a link to the deleted record remains at its
    /// end.
    case noAction
    /// A reference becomes nil, and a link is removed. For a reference that is not optional, this rule is `deny`.
    case nullify
    /// The related records are deleted too, and their own delete rules apply.
    case cascade
    /// The store rejects the delete while there are related records, unless the same change set deletes them or
    /// relates them to another record.
    case deny
}

/// The bounds of the number of related records of a to-many property.
///
/// ```swift
/// @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Author.books)
/// var authors: Related<Author>
/// ```
public struct ModelCount: Sendable, Hashable, Codable {
    /// The smallest number; 0 for no lower bound.
    public let minimum: Int
    /// The largest number; nil for no upper bound.
    public let maximum: Int?

    package init(minimum: Int = 0, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The count without bounds.
    package static let any = ModelCount()

    package func contains(_ count: Int) -> Bool {
        count >= minimum && maximum.map { count <= $0 } ?? true
    }

    /// Returns the bound that a count violates, in words: `at least 1`, `at most 3`.
    package func bound(brokenBy count: Int) -> String {
        if count < minimum { return localized("at least \(minimum)") }
        return maximum.map { localized("at most \($0)") } ?? description
    }
}

extension ModelCount: CustomStringConvertible {
    /// The bounds in words, in the current language: `at least 1`, `at most 3`, `1 to 3`, `exactly 2`, `any number`.
    public var description: String {
        switch (minimum, maximum) {
        case (0, nil): localized("any number")
        case (let minimum, nil): localized("at least \(minimum)")
        case (0, let maximum?): localized("at most \(maximum)")
        case (let minimum, let maximum?):
            minimum == maximum ? localized("exactly \(minimum)") : localized("\(minimum) to \(maximum)")
        }
    }
}
