/// Selected properties of a record, as ``Repository/fetch(_:selecting:)`` reads them.
///
/// ```swift
/// for animal in try await animals.fetch(descriptor, selecting: \.name, \.weight) {
///     let (name, weight) = animal.values
///     print(animal.id, name, weight)
/// }
/// ```
public struct FetchedSelection<M: Model, each Value: StoredValue>: Sendable, Identifiable {
    /// The id of the record.
    public let id: M.ID
    /// The values, in the order in which the call names the properties.
    public let values: (repeat each Value)
}

extension Repository {
    /// Returns selected properties of the records that match a descriptor. The store reads only their columns.
    ///
    /// The result is not a value of the model, because a model could not say which of its properties were read. It
    /// contains the selected values with their types.
    ///
    /// ```swift
    /// let names = try await animals.fetch(descriptor, selecting: \.name).map(\.values)
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The conditions, order and limits.
    ///   - properties: Stored properties of the model. The id is always included.
    /// - Throws: ``QueryError`` when the store cannot run the query, or when a key path is not a stored property;
    ///   ``ReadError``; ``FieldValueError`` when a stored value does not fit its property.
    public func fetch<each Value: StoredValue>(
        _ descriptor: FetchDescriptor<M>, selecting properties: repeat any KeyPath<M, each Value> & Sendable
    ) async throws -> [FetchedSelection<M, repeat each Value>] {
        var selected: [PropertySchema] = []
        for keyPath in repeat each properties { selected.append(try Self.property(at: keyPath)) }
        return try await records.values(descriptor.query(), of: selected) { [selected] id, values in
            var reader = SelectionReader(model: M.modelName, properties: selected, values: values)
            return FetchedSelection(id: RecordID(id), values: (repeat try reader.next((each Value).self)))
        }
    }

    private static func property(at keyPath: PartialKeyPath<M>) throws(QueryError) -> PropertySchema {
        guard let property = M.schema.property(at: keyPath), property.type.isStored else {
            throw QueryError(
                model: M.schema.name, expression: "A key path that is no stored property",
                advice: "has no column to read. Select those that the model stores; the id comes along."
            )
        }
        return property
    }
}

/// A reader that returns the values of a row, in the order of the properties.
private struct SelectionReader {
    let model: String
    let properties: [PropertySchema]
    let values: [FieldValue]
    private var position = 0

    init(model: String, properties: [PropertySchema], values: [FieldValue]) {
        self.model = model
        self.properties = properties
        self.values = values
    }

    mutating func next<Value: StoredValue>(_ type: Value.Type) throws(FieldValueError) -> Value {
        guard position < values.count, position < properties.count else {
            throw .missingField(model: model, property: "\(position)")
        }
        let property = properties[position], value = values[position]
        position += 1
        do {
            return try Value.isScaled ? Value(fieldValue: value, scale: property.type.scale) : Value(fieldValue: value)
        } catch {
            throw .invalid(model: model, property: property.name, reason: "\(error)")
        }
    }
}
