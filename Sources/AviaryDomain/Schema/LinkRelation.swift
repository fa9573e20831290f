/// A many-to-many relation: any record of one model with any of another, or of the same, kept as links.
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
/// Both properties show the same links, so no side can fall behind the other.
public struct LinkRelation: Sendable, Hashable {
    /// One of the two properties.
    public struct Side: Sendable, Hashable {
        public let model: String
        public let property: String
        /// What happens to the records that are linked with a record of this side when that is deleted.
        public let deleteRule: DeleteRule
        /// How many links a record of this side has.
        public let count: ModelCount
    }

    /// The side that names the inverse.
    public let source: Side
    /// The inverse.
    public let target: Side

    /// Whether a property is its own inverse: who is somebody's friend has him as a friend.
    public var isSymmetric: Bool { source == target }

    /// `Book.authors`: the side that names the inverse.
    public var name: String { "\(source.model).\(source.property)" }
}

/// A many-to-many relation as one of its two sides has it.
package struct LinkEnd: Sendable, Hashable {
    package let relation: LinkRelation
    /// Whether it is the inverse's side.
    package let isInverse: Bool

    package init(_ relation: LinkRelation, isInverse: Bool) {
        self.relation = relation
        self.isInverse = isInverse
    }

    package var own: LinkRelation.Side { isInverse ? relation.target : relation.source }
    package var other: LinkRelation.Side { isInverse ? relation.source : relation.target }
    /// The same links seen from the other side.
    package var opposite: LinkEnd { LinkEnd(relation, isInverse: !isInverse) }
}

extension LinkEnd {
    /// The relation that a to-many property shows, from what its two models say of it: a program that uses a store need not
    /// know all models. Nil when it is no many-to-many property.
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
