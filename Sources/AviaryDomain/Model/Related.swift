/// A to-many relation: the other side of a ``Reference``.
///
/// It is never stored and takes no column: which records belong to it is what their references say.
/// Name the reference with `@Relationship(inverse:)`, on this side only.
public struct Related<M: Model>: Hashable, Sendable {
    public init() {}
}
