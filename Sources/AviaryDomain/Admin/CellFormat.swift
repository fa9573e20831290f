/// The format that an application sets for the values of a column.
package struct CellFormat: Sendable {
    /// A closure that returns the text of a value; nil for a value that the type does not accept.
    package let text: @Sendable (FieldValue) -> String?

    package init<Value: StoredValue>(_ property: PropertySchema, _ format: @escaping @Sendable (Value) -> String) {
        let scale = property.type.scale
        text = { stored in
            // What cannot be read is shown as it is stored.
            guard let value = try? Value.isScaled ? Value(fieldValue: stored, scale: scale) : Value(fieldValue: stored)
            else { return nil }
            return format(value)
        }
    }
}
