/// A list's column of a property that is not stored: worked out from each record that is shown.
package struct ComputedColumn: Sendable {
    package var title: String { englishTitle.translated }
    private let englishTitle: String
    /// The property by whose type the values are shown. Its name is that of no property of the model.
    package let property: PropertySchema
    package let value: @Sendable (Record) -> FieldValue

    package init<M: Model, Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable, title: String) {
        englishTitle = title
        property = PropertyDefinition(keyPath, title).property
        let scale = property.type.scale
        value = { record in
            // A row that cannot be read shows what of it can be.
            guard let model = try? M(record) else { return .null }
            return model[keyPath: keyPath].fieldValue(scale: scale)
        }
    }

    /// Written by a closure, which is called once for each record that a page shows.
    package init<M: Model>(title: String, _ text: @escaping @Sendable (M) -> String) {
        englishTitle = title
        property = PropertySchema(
            name: title, type: .string, isOptional: false, attributes: [], keyPath: \M.id, relationship: nil,
            makeDefault: nil
        )
        value = { record in
            // As above.
            guard let model = try? M(record) else { return .null }
            return .text(text(model))
        }
    }
}

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
