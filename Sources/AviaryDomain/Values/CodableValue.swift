/// A value of any `Codable` type, as it is stored.
struct CodableValue<Value: Codable & Sendable>: StoredValue {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    static var propertyType: PropertyType { .json }
    static var isOptional: Bool { Value.self is any ExpressibleByNilLiteral.Type }
    static var traits: StoredValueTraits { .json(Self.self) }

    var fieldValue: FieldValue {
        let stored = JSONText.fieldValue(value)
        return Self.isOptional && stored == Self.nothing ? .null : stored
    }

    init(fieldValue: FieldValue) throws(FieldValueError) {
        value = try JSONText.value(Value.self, of: Self.isOptional && fieldValue.isNull ? Self.nothing : fieldValue)
    }

    private static var nothing: FieldValue { .text("null") }
}

extension StoredValueTraits {
    static func json<Value: StoredValue>(_ type: Value.Type) -> StoredValueTraits {
        var traits = StoredValueTraits()
        traits.rewritten = { value, scale throws(FieldValueError) in
            try Value(fieldValue: value, scale: scale).fieldValue(scale: scale)
        }
        return traits
    }
}
