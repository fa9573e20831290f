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

    /// Creates the definition of a property that predicates can use.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - key: The coding key of the property in the JSON.
    public init<Root, Value: StoredValue>(_ keyPath: any KeyPath<Root, Value> & Sendable, _ key: String) {
        self.keyPath = keyPath
        self.key = key
        type = Value.propertyType
        isOptional = Value.isOptional
        traits = Value.traits
    }

    /// Creates the definition of a property whose type only conforms to `Codable`. It is stored, but predicates
    /// cannot use it.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - key: The coding key of the property in the JSON.
    @_disfavoredOverload
    public init<Root, Value: Codable & Sendable>(_ keyPath: any KeyPath<Root, Value> & Sendable, _ key: String) {
        self.keyPath = keyPath
        self.key = key
        type = .json
        isOptional = CodableValue<Value>.isOptional
        traits = StoredValueTraits()
    }

    /// The properties of an embedded struct in this one.
    package var properties: [EmbeddedProperty] { traits.embedded?() ?? [] }
}
