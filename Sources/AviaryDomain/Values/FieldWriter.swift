/// Collects a model's values, in schema order.
public struct FieldWriter {
    package private(set) var values: [FieldValue] = []
    private let model: any Model.Type

    package init(for model: any Model.Type) {
        self.model = model
    }

    /// The identity travels beside the values.
    public mutating func bind<M>(_ value: RecordID<M>) {}

    public mutating func bind<Value: StoredValue>(_ value: Value) {
        values.append(Value.isScaled ? value.fieldValue(scale: model.scale(at: values.count)) : value.fieldValue)
    }

    /// A value of a type that is `Codable` and nothing else is stored as JSON.
    @_disfavoredOverload
    public mutating func bind<Value: Codable & Sendable>(_ value: Value) {
        bind(CodableValue(value))
    }

    /// For any other type: ``PropertyDefinition`` says what to do instead.
    @_disfavoredOverload
    @available(*, unavailable, message: "this type cannot be stored")
    public mutating func bind<Value>(_ value: Value) {}

    /// A to-many relation is not stored.
    public mutating func bind<M: Model>(_ value: Related<M>) {}
}
