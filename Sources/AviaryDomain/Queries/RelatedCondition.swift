public import Foundation

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
