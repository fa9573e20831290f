public import Foundation

/// A path from a record to its related records.
package enum RelationPath: Sendable, Hashable {
    /// The path to the record that a reference points to.
    case reference(property: String, RelatedModel)
    /// The path to the records whose references point to the record.
    case inverse(property: String, RelatedModel)
    /// The path to the records that the record is linked with.
    case links(LinkPath, RelatedModel)

    package var model: ModelSchema {
        switch self {
        case .reference(_, let model), .inverse(_, let model), .links(_, let model): model.schema
        }
    }
}

/// A many-to-many relation from the perspective of one side, derived from the two properties only. A program need
/// not declare all models.
package struct LinkPath: Sendable, Hashable {
    /// The name of the relation, in the form of ``LinkRelation/name``.
    package let name: String
    /// Indicates whether this is the side that does not name the inverse.
    package let isInverse: Bool
    /// Indicates whether both sides are the same property, so that a link applies in both directions.
    package let isSymmetric: Bool
}

/// A model that is compared by its name, so that types that contain it can be `Hashable`.
package struct RelatedModel: Sendable, Hashable {
    package let schema: ModelSchema

    package init(_ schema: ModelSchema) { self.schema = schema }

    package static func == (left: RelatedModel, right: RelatedModel) -> Bool { left.schema.name == right.schema.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(schema.name) }
}

/// A Swift type of a relation, which knows the schema of the related model.
protocol RelationType {
    static var relatedSchema: ModelSchema { get }
}

extension Reference: RelationType {
    static var relatedSchema: ModelSchema { M.schema }
}

extension Related: RelationType {
    static var relatedSchema: ModelSchema { M.schema }
}

extension Optional: RelationType where Wrapped: RelationType {
    static var relatedSchema: ModelSchema { Wrapped.relatedSchema }
}

extension ModelSchema {
    /// Returns the path of a relation.
    ///
    /// - Throws: ``QueryError`` when the key path is not a relation.
    package func relation(at keyPath: AnyKeyPath) throws(QueryError) -> RelationPath {
        guard let property = property(at: keyPath), let type = type(of: keyPath).valueType as? any RelationType.Type
        else {
            throw QueryError(
                model: name, expression: "A key path that is no relation",
                advice: "leads to no records. Name a Reference or a Related property of the model itself."
            )
        }
        let other = type.relatedSchema
        if property.type.isStored { return .reference(property: property.name, RelatedModel(other)) }
        if let inverse = property.relationship?.inverse.flatMap(other.property(at:)), inverse.type.isStored {
            return .inverse(property: inverse.name, RelatedModel(other))
        }
        guard let path = linkPath(of: property, to: other) else {
            throw QueryError(
                model: name, expression: "The relation \(property.name)",
                advice: "has no inverse. Name the property that points back: @Relationship(inverse:)."
            )
        }
        return .links(path, RelatedModel(other))
    }

    private func linkPath(of property: PropertySchema, to other: ModelSchema) -> LinkPath? {
        if property.relationship?.options.contains(.symmetric) == true {
            return LinkPath(name: "\(name).\(property.name)", isInverse: false, isSymmetric: true)
        }
        if let inverse = property.relationship?.inverse.flatMap(other.property(at:)) {
            let isSymmetric = other.name == name && inverse.name == property.name
            return LinkPath(name: "\(name).\(property.name)", isInverse: false, isSymmetric: isSymmetric)
        }
        let owner = other.properties.first { candidate in
            guard !candidate.type.isStored, let inverse = candidate.relationship?.inverse else { return false }
            return self.property(at: inverse)?.name == property.name
        }
        return owner.map { LinkPath(name: "\(other.name).\($0.name)", isInverse: true, isSymmetric: false) }
    }
}

/// A condition on the records that a record is related to.
///
/// A predicate sees a ``Reference`` as an id and cannot see a ``Related``. Use this condition to query the values of
/// the related records.
///
/// ```swift
/// var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
/// descriptor.related = [RelatedCondition(\.category, matching: #Predicate { $0.name == "Mammal" })]
/// let mammals = try await animals.fetch(descriptor)
/// ```
public struct RelatedCondition<M: Model>: Sendable {
    private let make: @Sendable () throws(QueryError) -> QueryExpression

    /// Creates a condition that the referenced record exists and matches a predicate.
    ///
    /// ```swift
    /// RelatedCondition(\.category, matching: #Predicate { $0.name == "Mammal" })
    /// ```
    ///
    /// - Parameters:
    ///   - reference: A reference of the model.
    ///   - predicate: The condition on the referenced record.
    public init<Other: Model>(
        _ reference: any KeyPath<M, Reference<Other>> & Sendable, matching predicate: Predicate<Other>
    ) {
        make = { () throws(QueryError) in try Self.condition(reference, predicate) }
    }

    /// Creates a condition that an optional reference is not nil and its record matches a predicate.
    ///
    /// ```swift
    /// RelatedCondition(\.category, matching: #Predicate { $0.name == "Mammal" })
    /// ```
    ///
    /// - Parameters:
    ///   - reference: An optional reference of the model.
    ///   - predicate: The condition on the referenced record.
    public init<Other: Model>(
        _ reference: any KeyPath<M, Reference<Other>?> & Sendable, matching predicate: Predicate<Other>
    ) {
        make = { () throws(QueryError) in try Self.condition(reference, predicate) }
    }

    /// Creates a condition that at least one related record matches a predicate.
    ///
    /// ```swift
    /// RelatedCondition(\.animals, containing: #Predicate { $0.weight > 1000 })
    /// ```
    ///
    /// - Parameters:
    ///   - relation: A to-many relation of the model.
    ///   - predicate: The condition on the related records.
    public init<Other: Model>(
        _ relation: any KeyPath<M, Related<Other>> & Sendable, containing predicate: Predicate<Other>
    ) {
        make = { () throws(QueryError) in try Self.condition(relation, predicate) }
    }

    private init(negating condition: RelatedCondition) {
        make = { () throws(QueryError) in .not(try condition.make()) }
    }

    /// Returns the negation of a condition: no related record matches, or there is no related record.
    ///
    /// ```swift
    /// descriptor.related = [!RelatedCondition(\.animals, containing: #Predicate { _ in true })]
    /// ```
    ///
    /// - Parameter condition: The condition to negate.
    public static prefix func ! (condition: RelatedCondition) -> RelatedCondition {
        RelatedCondition(negating: condition)
    }

    func expression() throws(QueryError) -> QueryExpression { try make() }

    private static func condition<Other: Model>(
        _ keyPath: AnyKeyPath, _ predicate: Predicate<Other>
    ) throws(QueryError) -> QueryExpression {
        .related(try M.schema.relation(at: keyPath), where: try QueryTranslation.expression(of: predicate))
    }
}
