/// A reference property, seen from the model that it points to.
public struct ForeignKey: Sendable, Hashable {
    /// The name of the model that has the reference.
    public let model: String
    /// The name of the reference property.
    public let property: String
    /// The name of the model that the reference points to.
    public let target: String
    /// A Boolean value that indicates whether the reference may be nil.
    public let isOptional: Bool
    /// The effect on the record that has the reference when the target is deleted.
    public let deleteRule: DeleteRule
    /// The name of the target's to-many property; nil when it has none.
    public let inverse: String?
    /// The bounds of the number of records that may point to one record.
    public let count: ModelCount
}
