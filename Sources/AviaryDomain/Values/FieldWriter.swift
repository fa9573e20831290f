/// Collects a model's values, in schema order.
public struct FieldWriter {
    package private(set) var values: [FieldValue] = []

    package init() {}

    /// The identity travels beside the values.
    public mutating func bind<M>(_ value: RecordID<M>) {}

    public mutating func bind(_ value: some StoredValue) {
        values.append(value.fieldValue)
    }

    /// A to-many relation is not stored.
    public mutating func bind<M: Model>(_ value: Related<M>) {}
}
