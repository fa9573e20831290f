/// A to-many relation: the other side of a ``Reference``, or of another `Related`.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Animal.category) var animals: Related<Animal>
/// ```
///
/// It takes no column and has no value of its own. Which records belong to it is what their references say, or, where both
/// sides are `Related`, which records are linked: ``Repository/related(_:to:)-(_,M.ID)`` reads them. Name the other side with
/// `@Relationship(inverse:)`, on one side only.
public struct Related<M: Model>: Hashable, Sendable {
    // Key paths to stored properties are told apart by their places in the struct: without a size, two relations to the
    // same model that stand beside each other would have one.
    private let place: UInt8 = 0

    public init() {}
}
