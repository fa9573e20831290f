/// A to-many relation: the other side of a ``Reference``, or of another `Related`.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Animal.category) var animals: Related<Animal>
/// ```
///
/// The property has no column and no value of its own. The related records are those whose references point to this
/// record, or, where both sides are `Related`, those that are linked with it. Read them with
/// ``Repository/related(_:to:)-(_,M.ID)``. Name the other side with `@Relationship(inverse:)`, on one side only.
public struct Related<M: Model>: Hashable, Sendable {
    // Key paths to stored properties are told apart by their places in the struct: without a size, two relations to the
    // same model that stand beside each other would have one.
    private let place: UInt8 = 0

    /// Creates the value of a to-many property. It holds no records.
    public init() {}
}
