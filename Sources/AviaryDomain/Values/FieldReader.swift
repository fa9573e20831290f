/// Hands a record's values to a model's initializer, in schema order.
public struct FieldReader {
    private let record: Record
    private var position = 0

    package init(_ record: Record) {
        self.record = record
    }

    /// The record's identity; takes no column of its own.
    public mutating func next<M>(_ name: StaticString) throws(FieldValueError) -> RecordID<M> {
        RecordID(record.id)
    }

    public mutating func next<Value: StoredValue>(_ name: StaticString) throws(FieldValueError) -> Value {
        guard position < record.values.count else { throw .missingField("\(name)") }
        defer { position += 1 }
        do {
            return try Value(fieldValue: record.values[position])
        } catch {
            throw .invalid(property: "\(name)", reason: "\(error)")
        }
    }

    /// A to-many relation is not stored.
    public mutating func next<M: Model>(_ name: StaticString) throws(FieldValueError) -> Related<M> {
        Related()
    }
}
