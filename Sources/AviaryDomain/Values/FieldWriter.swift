/// A collector of a model's values, in the order of the schema.
public struct FieldWriter {
    package private(set) var values: [FieldValue] = []
    private let model: any Model.Type

    package init(for model: any Model.Type) {
        self.model = model
    }

    /// Accepts the id of the record and adds no value, because the id is passed separately.
    ///
    /// - Parameter value: The id.
    public mutating func bind<M>(_ value: RecordID<M>) {}

    /// Adds the value of the next stored property.
    ///
    /// - Parameter value: The value of the property.
    public mutating func bind<Value: StoredValue>(_ value: Value) {
        values.append(Value.isScaled ? value.fieldValue(scale: model.scale(at: values.count)) : value.fieldValue)
    }

    /// Adds the value of the next stored property, whose type only conforms to `Codable`, as JSON.
    ///
    /// - Parameter value: The value of the property.
    @_disfavoredOverload
    public mutating func bind<Value: Codable & Sendable>(_ value: Value) {
        bind(CodableValue(value))
    }

    /// Rejects a property of any other type at compile time. The message at ``PropertyDefinition`` says what to do
    /// instead.
    @_disfavoredOverload
    @available(*, unavailable, message: "this type cannot be stored")
    public mutating func bind<Value>(_ value: Value) {}

    /// Accepts a to-many property and adds no value, because it has no column.
    ///
    /// - Parameter value: The value of the property.
    public mutating func bind<M: Model>(_ value: Related<M>) {}
}
