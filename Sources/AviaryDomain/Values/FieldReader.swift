/// Hands a record's values to a model's initializer, in schema order.
public struct FieldReader {
    private let record: Record
    private let model: any Model.Type
    private var position = 0

    package init(_ record: Record, of model: any Model.Type) {
        self.record = record
        self.model = model
    }

    /// The record's identity; takes no column of its own.
    public mutating func next<M>(_ name: StaticString) throws(FieldValueError) -> RecordID<M> {
        RecordID(record.id)
    }

    public mutating func next<Value: StoredValue>(_ name: StaticString) throws(FieldValueError) -> Value {
        guard position < record.values.count else { throw .missingField(model: model.modelName, property: "\(name)") }
        defer { position += 1 }
        do {
            let value = record.values[position]
            return try Value.isScaled
                ? Value(fieldValue: value, scale: model.scale(at: position)) : Value(fieldValue: value)
        } catch {
            throw .invalid(model: model.modelName, property: "\(name)", reason: "\(error)")
        }
    }

    /// A value of a type that is `Codable` and nothing else is stored as JSON.
    @_disfavoredOverload
    public mutating func next<Value: Codable & Sendable>(_ name: StaticString) throws(FieldValueError) -> Value {
        let stored: CodableValue<Value> = try next(name)
        return stored.value
    }

    /// For any other type: ``PropertyDefinition`` says what to do instead.
    @_disfavoredOverload
    @available(*, unavailable, message: "this type cannot be stored")
    public mutating func next<Value>(_ name: StaticString) throws(FieldValueError) -> Value {
        throw .missingField(model: model.modelName, property: "\(name)")
    }

    /// A to-many relation is not stored.
    public mutating func next<M: Model>(_ name: StaticString) throws(FieldValueError) -> Related<M> {
        Related()
    }
}

extension Model {
    /// The digits after the point of the stored property at this place.
    static func scale(at position: Int) -> Int {
        let properties = schema.storedProperties
        return properties.indices.contains(position) ? properties[position].type.scale : PropertyType.defaultScale
    }
}
