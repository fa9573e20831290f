/// A struct that is stored inside of a record, as JSON, and whose properties predicates can ask for.
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
/// A struct that is only `Codable` can be stored, too, but not asked for by what is in it. `@Embedded` writes the conformance
/// and ``embeddedProperties``; by hand it is one line for each property.
public protocol Embedded: Codable, StoredValue {
    /// The properties with their keys in the JSON.
    static var embeddedProperties: [EmbeddedProperty] { get }
}

extension Embedded {
    public static var propertyType: PropertyType { .json }

    public static var traits: StoredValueTraits {
        var traits = StoredValueTraits.json(Self.self)
        traits.embedded = { embeddedProperties }
        return traits
    }

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
    /// In the JSON.
    package let key: String
    /// What the JSON holds, as a column would; ``PropertyType/json`` for what is `Codable` and nothing else.
    package let type: PropertyType
    package let isOptional: Bool
    let traits: StoredValueTraits

    /// A property that predicates can ask for.
    ///
    /// - Parameter key: What the property is called in the JSON: its coding key.
    public init<Root, Value: StoredValue>(_ keyPath: any KeyPath<Root, Value> & Sendable, _ key: String) {
        self.keyPath = keyPath
        self.key = key
        type = Value.propertyType
        isOptional = Value.isOptional
        traits = Value.traits
    }

    /// A property of a type that is `Codable` and nothing else: it is stored, and cannot be asked for.
    ///
    /// - Parameter key: What the property is called in the JSON: its coding key.
    @_disfavoredOverload
    public init<Root, Value: Codable & Sendable>(_ keyPath: any KeyPath<Root, Value> & Sendable, _ key: String) {
        self.keyPath = keyPath
        self.key = key
        type = .json
        isOptional = CodableValue<Value>.isOptional
        traits = StoredValueTraits()
    }

    /// Of an embedded struct in this one.
    package var properties: [EmbeddedProperty] { traits.embedded?() ?? [] }
}
