extension Array: StoredValue where Element: StoredValue & Codable {
    public static var propertyType: PropertyType { .array(of: Element.propertyType) }
    public static var traits: StoredValueTraits { .array(Self.self) }
    public static var isScaled: Bool { Element.isScaled }

    public var fieldValue: FieldValue { fieldValue(scale: PropertyType.defaultScale) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        self = try JSONText.value(Self.self, of: fieldValue)
    }

    /// Returns the value of a column with a scale. When one of the elements cannot be stored, the array cannot be
    /// stored.
    ///
    /// - Parameter scale: The number of digits after the decimal point that the property declares.
    public func fieldValue(scale: Int) -> FieldValue {
        allSatisfy { $0.storable(scale: scale) != nil } ? JSONText.fieldValue(self) : .blob([])
    }

    public init(fieldValue: FieldValue, scale: Int) throws(FieldValueError) {
        try self.init(fieldValue: fieldValue)
    }
}

extension Set: StoredValue where Element: StoredValue & Codable {
    public static var propertyType: PropertyType { .array(of: Element.propertyType) }
    public static var traits: StoredValueTraits {
        var traits = StoredValueTraits.array(Self.self)
        // In the order in which they are stored: that of a set differs from process to process.
        traits.elements = [Element].traits.elements
        traits.isSet = true
        return traits
    }
    public static var isScaled: Bool { Element.isScaled }

    public var fieldValue: FieldValue { fieldValue(scale: PropertyType.defaultScale) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        self = try JSONText.value(Self.self, of: fieldValue)
    }

    /// Returns the value of a column with a scale. The elements are sorted by their JSON text, so that equal sets have
    /// equal column values.
    ///
    /// - Parameter scale: The number of digits after the decimal point that the property declares.
    public func fieldValue(scale: Int) -> FieldValue {
        var texts: [String] = []
        for element in self {
            guard element.storable(scale: scale) != nil, case .text(let text) = JSONText.fieldValue(element) else {
                return .blob([])
            }
            texts.append(text)
        }
        texts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return .text("[\(texts.joined(separator: ","))]")
    }

    public init(fieldValue: FieldValue, scale: Int) throws(FieldValueError) {
        try self.init(fieldValue: fieldValue)
    }
}

extension StoredValueTraits {
    fileprivate static func array<Values: StoredValue & Collection>(_ type: Values.Type) -> StoredValueTraits
    where Values.Element: StoredValue {
        var traits = json(type)
        traits.elements = { array, scale in
            // A value that is not such an array is reported by the validation.
            (try? Values(fieldValue: array, scale: scale))?.map { $0.fieldValue(scale: scale) }
        }
        traits.choiceLabels = Values.Element.traits.choiceLabels
        traits.mistake = Values.Element.traits.mistake
        return traits
    }
}

/// A wrapper that stores a value of any `Codable` type as JSON.
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
