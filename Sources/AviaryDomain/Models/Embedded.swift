/// A struct that a record stores as JSON, and whose properties predicates can use.
///
/// ```swift
/// @Embedded
/// struct Address {
///     var street: String
///     var city: String
/// }
///
/// @Model
/// struct Keeper {
///     var name: String
///     var address: Address?
/// }
/// ```
///
/// A property with an initial value may be added later: where the stored JSON has no value of it, it has the initial one.
///
/// A struct that only conforms to `Codable` can be stored too, but predicates cannot use its properties. The macro
/// `@Embedded` writes the conformance, ``embeddedProperties``, and in a public struct a memberwise initializer. By
/// hand, it is one line for each property.
public protocol Embedded: Codable, StoredValue {
    /// The properties of the struct and their keys in the JSON.
    static var embeddedProperties: [EmbeddedProperty] { get }
}

extension Embedded {
    public static var propertyType: PropertyType { .json }

    public static var traits: StoredValueTraits {
        var traits = StoredValueTraits.json(Self.self)
        traits.embedded = { embeddedProperties }
        return traits
    }

    /// The column value: the struct as JSON text.
    public var fieldValue: FieldValue { JSONText.fieldValue(self) }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        self = try JSONText.value(Self.self, of: fieldValue)
    }
}

/// A property of an ``Embedded`` struct.
///
/// ```swift
/// static let embeddedProperties = [EmbeddedProperty(\Self.street, "street"), EmbeddedProperty(\Self.city, "town")]
/// ```
public struct EmbeddedProperty: Sendable {
    package let keyPath: any AnyKeyPath & Sendable
    /// The key in the JSON.
    package let key: String
    /// The type of the value in the JSON, as of a column; ``PropertyType/json`` for a type that only conforms to
    /// `Codable`.
    package let type: PropertyType
    package let isOptional: Bool
    let traits: StoredValueTraits
    /// The value where the JSON has none; nil if the JSON must have one, or if the value is nil then.
    package let valueWhenMissing: FieldValue?
    /// Indicates whether the program gives the property a value where the JSON has none.
    let hasInitialValue: Bool

    /// Creates the definition of a property that predicates can use.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - key: The coding key of the property in the JSON.
    ///   - initialValue: The value where the JSON has none. An optional property is nil then.
    public init<Root, Value: StoredValue>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, _ key: String, default initialValue: Value? = nil
    ) {
        self.keyPath = keyPath
        self.key = key
        type = Value.propertyType
        isOptional = Value.isOptional
        traits = Value.traits
        valueWhenMissing = Value.isOptional ? nil : initialValue?.fieldValue
        hasInitialValue = initialValue != nil
    }

    /// Creates the definition of a property whose type only conforms to `Codable`. It is stored, but predicates
    /// cannot use it.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - key: The coding key of the property in the JSON.
    ///   - initialValue: The value where the JSON has none.
    @_disfavoredOverload
    public init<Root, Value: Codable & Sendable>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, _ key: String, default initialValue: Value? = nil
    ) {
        self.keyPath = keyPath
        self.key = key
        type = .json
        isOptional = CodableValue<Value>.isOptional
        traits = StoredValueTraits()
        valueWhenMissing = nil
        hasInitialValue = initialValue != nil
    }

    /// The properties of an embedded struct in this one.
    package var properties: [EmbeddedProperty] { traits.embedded?() ?? [] }
}

// The decoding of a struct with initial values, which `@Embedded` writes.
extension EmbeddedProperty {
    /// Decodes the value of a property that has no initial value.
    ///
    /// - Parameters:
    ///   - key: The coding key of the property.
    ///   - values: The decoded JSON.
    /// - Throws: `DecodingError` if the JSON has no value, or one of another type.
    @_disfavoredOverload
    public static func value<Value: Decodable, Key: CodingKey>(
        of key: Key, in values: KeyedDecodingContainer<Key>
    ) throws -> Value {
        try values.decode(Value.self, forKey: key)
    }

    /// Decodes the value of an optional property that has no initial value: nil if the JSON has none.
    public static func value<Value: Decodable, Key: CodingKey>(
        of key: Key, in values: KeyedDecodingContainer<Key>
    ) throws -> Value? {
        try values.decodeIfPresent(Value.self, forKey: key)
    }

    /// Decodes the value of a property, which keeps its initial value if the JSON has none.
    ///
    /// - Parameters:
    ///   - value: The property.
    ///   - key: The coding key of the property.
    ///   - values: The decoded JSON.
    /// - Throws: `DecodingError` if the JSON has a value of another type.
    public static func read<Value: Decodable, Key: CodingKey>(
        _ value: inout Value, of key: Key, in values: KeyedDecodingContainer<Key>
    ) throws {
        if let stored = try values.decodeIfPresent(Value.self, forKey: key) { value = stored }
    }

    /// Decodes the value of an optional property: nil if the JSON has none, as nil is stored.
    public static func read<Value: Decodable, Key: CodingKey>(
        _ value: inout Value?, of key: Key, in values: KeyedDecodingContainer<Key>
    ) throws {
        value = try values.decodeIfPresent(Value.self, forKey: key)
    }
}
