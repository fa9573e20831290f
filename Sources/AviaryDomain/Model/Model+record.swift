// The one way between a value of a model and its record, and back.
extension Model {
    /// The record as a value.
    ///
    /// - Throws: ``FieldValueError`` when what is stored does not fit its property.
    package init(_ record: Record) throws {
        var reader = FieldReader(record, of: Self.self)
        try self.init(from: &reader)
    }

    /// The stored values, in the order of the schema.
    package var storedValues: [FieldValue] {
        var writer = FieldWriter(for: Self.self)
        bind(to: &writer)
        return writer.values
    }

    /// The stored values by property name.
    package var fieldValues: [String: FieldValue] {
        Dictionary(zip(Self.schema.storedProperties.map(\.name), storedValues), uniquingKeysWith: { first, _ in first })
    }
}
