public import Foundation

/// What must hold for a record that another is related to. Predicates see a ``Reference`` as an id and a ``Related`` not at
/// all; this is how to ask what is in the records behind them.
///
/// ```swift
/// var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
/// descriptor.related = [RelatedCondition(\.category, matching: #Predicate { $0.name == "Mammal" })]
/// let mammals = try await animals.fetch(descriptor)
/// ```
public struct RelatedCondition<M: Model>: Sendable {
    private let make: @Sendable () throws(QueryError) -> QueryExpression

    /// The record that the reference points to exists and matches.
    ///
    /// ```swift
    /// RelatedCondition(\.category, matching: #Predicate { $0.name == "Mammal" })
    /// ```
    public init<Other: Model>(
        _ reference: any KeyPath<M, Reference<Other>> & Sendable, matching predicate: Predicate<Other>
    ) {
        make = { () throws(QueryError) in try Self.condition(reference, predicate) }
    }

    /// The reference is not nil, and the record that it points to matches.
    ///
    /// ```swift
    /// RelatedCondition(\.category, matching: #Predicate { $0.name == "Mammal" })
    /// ```
    public init<Other: Model>(
        _ reference: any KeyPath<M, Reference<Other>?> & Sendable, matching predicate: Predicate<Other>
    ) {
        make = { () throws(QueryError) in try Self.condition(reference, predicate) }
    }

    /// At least one of the related records matches.
    ///
    /// ```swift
    /// RelatedCondition(\.animals, containing: #Predicate { $0.weight > 1000 })
    /// ```
    public init<Other: Model>(
        _ relation: any KeyPath<M, Related<Other>> & Sendable, containing predicate: Predicate<Other>
    ) {
        make = { () throws(QueryError) in try Self.condition(relation, predicate) }
    }

    private init(negating condition: RelatedCondition) {
        make = { () throws(QueryError) in .not(try condition.make()) }
    }

    /// The opposite: no related record matches, or there is none.
    ///
    /// ```swift
    /// descriptor.related = [!RelatedCondition(\.animals, containing: #Predicate { _ in true })]
    /// ```
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
