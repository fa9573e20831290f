/// A to-one property seen from the record that it points to.
public struct ForeignKey: Sendable, Hashable {
    /// The model that holds the reference.
    public let model: String
    public let property: String
    /// The model pointed to.
    public let target: String
    public let isOptional: Bool
    /// What happens to the holder when the target is deleted.
    public let deleteRule: DeleteRule
    /// The target's to-many property; nil when it has none.
    public let inverse: String?
    /// How many may point to one record.
    public let count: ModelCount
}
