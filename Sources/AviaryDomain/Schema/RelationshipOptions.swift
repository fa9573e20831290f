/// What `@Relationship` says of a to-many property.
public struct RelationshipOptions: Sendable {
    package let deleteRule: DeleteRule
    package let inverse: (any AnyKeyPath & Sendable)?

    public init(deleteRule: DeleteRule = .nullify, inverse: (any AnyKeyPath & Sendable)? = nil) {
        self.deleteRule = deleteRule
        self.inverse = inverse
    }
}
