/// A many-to-many relation, which the store keeps as links between records of two models, or of one model.
///
/// ```swift
/// @Model struct Book {
///     @Relationship(inverse: \Author.books) var authors: Related<Author>
/// }
/// @Model struct Author {
///     @Relationship var books: Related<Book>
/// }
/// ```
///
/// Both properties show the same links, so they are always consistent.
public struct LinkRelation: Sendable, Hashable {
    /// One of the two properties of the relation.
    public struct Side: Sendable, Hashable {
        /// The name of the model that has the property.
        public let model: String
        /// The name of the property.
        public let property: String
        /// The effect on the linked records when a record of this side is deleted.
        public let deleteRule: DeleteRule
        /// The bounds of the number of links of a record of this side.
        public let count: ModelCount
    }

    /// The side that names the inverse.
    public let source: Side
    /// The inverse side.
    public let target: Side

    /// Indicates whether the property is its own inverse, as for a relation of friends.
    public var isSymmetric: Bool { source == target }

    /// The name of the relation, from the side that names the inverse: `Book.authors`.
    public var name: String { "\(source.model).\(source.property)" }
}

/// A many-to-many relation from the perspective of one of its two sides.
package struct LinkEnd: Sendable, Hashable {
    package let relation: LinkRelation
    /// Indicates whether this is the inverse side.
    package let isInverse: Bool

    package init(_ relation: LinkRelation, isInverse: Bool) {
        self.relation = relation
        self.isInverse = isInverse
    }

    package var own: LinkRelation.Side { isInverse ? relation.target : relation.source }
    package var other: LinkRelation.Side { isInverse ? relation.source : relation.target }
    /// The same relation from the other side.
    package var opposite: LinkEnd { LinkEnd(relation, isInverse: !isInverse) }
}

extension LinkEnd {
    /// Creates the end of the relation that a to-many property represents, from the declarations of its two models
    /// only; nil when the property is not many-to-many.
    ///
    /// A program that uses a store need not declare all models.
    package init?(_ property: PropertySchema, of model: ModelSchema, other: ModelSchema) {
        guard case .toMany(other.name) = property.type else { return nil }
        let own = LinkRelation.Side(property, of: model)
        if property.relationship?.options.contains(.symmetric) == true {
            self.init(LinkRelation(source: own, target: own), isInverse: false)
        } else if let keyPath = property.relationship?.inverse {
            guard let inverse = other.property(at: keyPath), case .toMany(model.name) = inverse.type else { return nil }
            self.init(LinkRelation(source: own, target: .init(inverse, of: other)), isInverse: false)
        } else {
            let declaring = other.properties.first { candidate in
                guard case .toMany(model.name) = candidate.type else { return false }
                return candidate.relationship?.inverse.map { $0 as AnyKeyPath } == property.keyPath as AnyKeyPath
            }
            guard let declaring else { return nil }
            self.init(LinkRelation(source: .init(declaring, of: other), target: own), isInverse: true)
        }
    }
}

extension LinkRelation.Side {
    init(_ property: PropertySchema, of model: ModelSchema) {
        self.init(
            model: model.name, property: property.name, deleteRule: property.relationship?.deleteRule ?? .nullify,
            count: ModelCount(
                minimum: property.relationship?.minimumModelCount ?? 0,
                maximum: property.relationship?.maximumModelCount
            )
        )
    }
}

/// A reference property, described for the model that it points to.
public struct ForeignKey: Sendable, Hashable {
    /// The name of the model that has the reference.
    public let model: String
    /// The name of the reference property.
    public let property: String
    /// The name of the model that the reference points to.
    public let target: String
    /// Indicates whether the reference may be nil.
    public let isOptional: Bool
    /// The effect on the record that has the reference when the target is deleted.
    public let deleteRule: DeleteRule
    /// The name of the target's to-many property; nil when it has none.
    public let inverse: String?
    /// The bounds of the number of records that may point to one record.
    public let count: ModelCount
}
