/// A reader that returns the values of a stored record to a model's initializer, in the order of the schema.
public struct FieldReader {
    private let record: Record
    private let model: any Model.Type
    private var position = 0

    package init(_ record: Record, of model: any Model.Type) {
        self.record = record
        self.model = model
    }

    /// Returns the id of the record. The id has no column.
    ///
    /// - Parameter name: The name of the property.
    public mutating func next<M>(_ name: StaticString) throws(FieldValueError) -> RecordID<M> {
        RecordID(record.id)
    }

    /// Returns the next value, converted to the type of the property.
    ///
    /// - Parameter name: The name of the property, for error messages.
    /// - Throws: ``FieldValueError`` when the value does not fit the type, or when the record has no further value.
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

    /// Returns the next value of a property whose type only conforms to `Codable`, decoded from JSON.
    ///
    /// - Parameter name: The name of the property, for error messages.
    /// - Throws: ``FieldValueError`` when the JSON does not fit the type, or when the record has no further value.
    @_disfavoredOverload
    public mutating func next<Value: Codable & Sendable>(_ name: StaticString) throws(FieldValueError) -> Value {
        let stored: CodableValue<Value> = try next(name)
        return stored.value
    }

    /// Throws for a property of any other type. ``PropertyDefinition`` rejects such a property at compile time, and
    /// this method compiles so that the compiler reports it once.
    ///
    /// - Parameter name: The name of the property, for error messages.
    /// - Throws: ``FieldValueError`` always.
    @_disfavoredOverload
    public mutating func next<Value>(_ name: StaticString) throws(FieldValueError) -> Value {
        throw .missingField(model: model.modelName, property: "\(name)")
    }

    /// Returns the value of a to-many property, which has no column.
    ///
    /// - Parameter name: The name of the property.
    public mutating func next<M: Model>(_ name: StaticString) throws(FieldValueError) -> Related<M> {
        Related()
    }
}

extension Model {
    /// Returns the number of digits after the decimal point of the stored property at this position.
    static func scale(at position: Int) -> Int {
        let properties = schema.storedProperties
        return properties.indices.contains(position) ? properties[position].type.scale : PropertyType.defaultScale
    }
}

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

    /// Ignores a property of any other type. ``PropertyDefinition`` rejects such a property at compile time, and this
    /// method compiles so that the compiler reports it once.
    ///
    /// - Parameter value: The value of the property.
    @_disfavoredOverload
    public mutating func bind<Value>(_ value: Value) {}

    /// Accepts a to-many property and adds no value, because it has no column.
    ///
    /// - Parameter value: The value of the property.
    public mutating func bind<M: Model>(_ value: Related<M>) {}
}
