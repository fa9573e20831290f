/// A column of a list that is not stored. Its value is computed from each record that a page shows.
package struct ComputedColumn: Sendable {
    package var title: String { englishTitle.translated }
    private let englishTitle: String
    /// The property whose type determines how values are shown. The model has no property of its name.
    package let property: PropertySchema
    package let value: @Sendable (Record) -> FieldValue

    package init<M: Model, Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable, title: String) {
        englishTitle = title
        property = PropertyDefinition(keyPath, title).property
        let scale = property.type.scale
        value = { record in
            // A record that cannot be decoded still shows its other columns.
            guard let model = try? M(record) else { return .null }
            return model[keyPath: keyPath].fieldValue(scale: scale)
        }
    }

    /// Creates a column with the texts of a closure, which is called once for each record that a page shows.
    package init<M: Model>(title: String, _ text: @escaping @Sendable (M) -> String) {
        englishTitle = title
        property = PropertySchema(
            name: title, type: .string, isOptional: false, attributes: [], keyPath: \M.id, relationship: nil,
            makeDefault: nil
        )
        value = { record in
            // A record that cannot be decoded still shows its other columns.
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
            // A value that cannot be decoded is shown as it is stored.
            guard let value = try? Value.isScaled ? Value(fieldValue: stored, scale: scale) : Value(fieldValue: stored)
            else { return nil }
            return format(value)
        }
    }
}
