/// The definition of a property in a model's ``ModelSchema``, as `@Model` declares it.
///
/// The type of the key path determines the type of the property, so the macro does not need to know it.
public struct PropertyDefinition<M: Model>: Sendable {
    package let property: PropertySchema

    /// Creates the definition of a stored property.
    ///
    /// - Parameters:
    ///   - keyPath: The property, optional or not.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    public init<Value: StoredValue>(
        _ keyPath: any KeyPath<M, Value> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> Value)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        let scale = AttributeOption.scale(in: attributes) ?? Value.propertyType.scale
        var defaultValue: (@Sendable () -> FieldValue)?
        if let makeDefault {
            defaultValue = { makeDefault().fieldValue(scale: scale) }
        }
        property = PropertySchema(
            name: name, type: Value.propertyType, isOptional: Value.isOptional, attributes: attributes,
            keyPath: keyPath, relationship: nil, makeDefault: defaultValue, traits: Value.traits
        )
    }

    /// Creates the definition of a stored property whose type only conforms to `Codable`. The store keeps it as JSON.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    @_disfavoredOverload
    public init<Value: Codable & Sendable>(
        _ keyPath: any KeyPath<M, Value> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> Value)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(codable: keyPath, name, makeDefault, attributes)
    }

    private init<Value: Codable & Sendable>(
        codable keyPath: any AnyKeyPath & Sendable, _ name: String, _ makeDefault: (@Sendable () -> Value)?,
        _ attributes: Set<AttributeOption>
    ) {
        var defaultValue: (@Sendable () -> FieldValue)?
        if let makeDefault {
            defaultValue = { CodableValue(makeDefault()).fieldValue }
        }
        property = PropertySchema(
            name: name, type: .json, isOptional: CodableValue<Value>.isOptional, attributes: attributes,
            keyPath: keyPath,
            relationship: nil, makeDefault: defaultValue, traits: CodableValue<Value>.traits
        )
    }

    /// Creates the definition of a to-many relation.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - relationship: The options of `@Relationship`.
    public init<Other: Model>(
        _ keyPath: any KeyPath<M, Related<Other>> & Sendable,
        _ name: String,
        relationship: RelationshipOptions = RelationshipOptions()
    ) {
        property = PropertySchema(
            name: name, type: .toMany(model: Other.modelName), isOptional: false, attributes: [],
            keyPath: keyPath, relationship: relationship, makeDefault: nil
        )
    }
}

// The compiler ranks an unavailable initializer below every other. It selects one of these only for a type that is
// neither a `StoredValue` nor `Codable`, and it then prints the message. For a type that is `Codable`, a deprecated
// initializer warns.
extension PropertyDefinition {
    private init(rejected keyPath: any AnyKeyPath & Sendable, _ name: String) {
        property = PropertySchema(
            name: name, type: .json, isOptional: false, attributes: [], keyPath: keyPath, relationship: nil,
            makeDefault: nil
        )
    }

    /// Rejects a property that holds another model at compile time.
    @available(
        *, unavailable,
        message:
            "a record refers to a record of another model: declare the property as Reference<…>? with that model's name"
    )
    public init<Other: Model>(
        _ keyPath: any KeyPath<M, Other> & Sendable,
        _ name: String,
        default makeDefault: (() -> Other)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(rejected: keyPath, name)
    }

    /// Rejects a property that holds another model or nil at compile time.
    @available(
        *, unavailable,
        message:
            "a record refers to a record of another model: declare the property as Reference<…>? with that model's name"
    )
    public init<Other: Model>(
        _ keyPath: any KeyPath<M, Other?> & Sendable,
        _ name: String,
        default makeDefault: (() -> Other?)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(rejected: keyPath, name)
    }

    /// Rejects a property that holds a list of models at compile time.
    @available(
        *, unavailable,
        message: "a list of models is a relation: declare the property as Related<…> with @Relationship(inverse:)"
    )
    public init<Others: Collection>(
        _ keyPath: any KeyPath<M, Others> & Sendable,
        _ name: String,
        default makeDefault: (() -> Others)? = nil,
        attributes: Set<AttributeOption> = []
    ) where Others.Element: Model {
        self.init(rejected: keyPath, name)
    }

    /// Rejects a property that holds a list of models or nil at compile time.
    @available(
        *, unavailable,
        message: "a list of models is a relation: declare the property as Related<…> with @Relationship(inverse:)"
    )
    public init<Others: Collection>(
        _ keyPath: any KeyPath<M, Others?> & Sendable,
        _ name: String,
        default makeDefault: (() -> Others?)? = nil,
        attributes: Set<AttributeOption> = []
    ) where Others.Element: Model {
        self.init(rejected: keyPath, name)
    }

    /// Rejects a property that holds an enum with raw values that is not a ``Choice`` at compile time.
    @available(
        *, unavailable,
        message: "the enum of this property is not a Choice: declare it as 'enum …: String, Choice'"
    )
    public init<Value: RawRepresentable>(
        _ keyPath: any KeyPath<M, Value> & Sendable,
        _ name: String,
        default makeDefault: (() -> Value)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(rejected: keyPath, name)
    }

    /// Rejects a property that holds nil or an enum with raw values that is not a ``Choice`` at compile time.
    @available(
        *, unavailable,
        message: "the enum of this property is not a Choice: declare it as 'enum …: String, Choice'"
    )
    public init<Value: RawRepresentable>(
        _ keyPath: any KeyPath<M, Value?> & Sendable,
        _ name: String,
        default makeDefault: (() -> Value?)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(rejected: keyPath, name)
    }

    /// Rejects a property that holds a list of an enum that is not a ``Choice`` at compile time.
    @available(
        *, unavailable,
        message: "the enum of this property is not a Choice: declare it as 'enum …: String, Choice'"
    )
    public init<Values: Collection>(
        _ keyPath: any KeyPath<M, Values> & Sendable,
        _ name: String,
        default makeDefault: (() -> Values)? = nil,
        attributes: Set<AttributeOption> = []
    ) where Values.Element: RawRepresentable {
        self.init(rejected: keyPath, name)
    }

    /// Rejects a property of any other type at compile time.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot be stored: declare an enum as 'enum …: String, Choice', mark a struct @Embedded, or mark the property @Transient"
    )
    public init<Value>(
        _ keyPath: any KeyPath<M, Value> & Sendable,
        _ name: String,
        default makeDefault: (() -> Value)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(rejected: keyPath, name)
    }
}

extension PropertyDefinition {
    /// Creates the definition of a property whose type is `Codable` with a raw value but no ``Choice``, with a warning.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    @_disfavoredOverload
    @available(
        *, deprecated,
        message:
            "the store keeps this property as JSON, which editors cannot choose: declare an enum as 'enum …: String, Choice', or conform a struct to StoredValue"
    )
    public init<Value: RawRepresentable & Codable & Sendable>(
        _ keyPath: any KeyPath<M, Value> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> Value)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(codable: keyPath, name, makeDefault, attributes)
    }

    /// Creates the definition of a property whose type is an optional of a `Codable` type with a raw value but no
    /// ``Choice``, with a warning.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    @_disfavoredOverload
    @available(
        *, deprecated,
        message:
            "the store keeps this property as JSON, which editors cannot choose: declare an enum as 'enum …: String, Choice', or conform a struct to StoredValue"
    )
    public init<Value: RawRepresentable & Codable & Sendable>(
        _ keyPath: any KeyPath<M, Value?> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> Value?)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(codable: keyPath, name, makeDefault, attributes)
    }

    /// Creates the definition of a property that holds a `Codable` set of options. The store keeps it as JSON.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    @_disfavoredOverload
    public init<Value: OptionSet & Codable & Sendable>(
        _ keyPath: any KeyPath<M, Value> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> Value)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(codable: keyPath, name, makeDefault, attributes)
    }

    /// Creates the definition of a property that holds a `Codable` set of options or nil. The store keeps it as JSON.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    @_disfavoredOverload
    public init<Value: OptionSet & Codable & Sendable>(
        _ keyPath: any KeyPath<M, Value?> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> Value?)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(codable: keyPath, name, makeDefault, attributes)
    }

    /// Creates the definition of a property that holds a bare id, which is a ``SchemaError`` when the application
    /// starts, because the record would be read with its own id in that property.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    @available(*, deprecated, message: "a record refers to another by a Reference<…>, not by its id")
    public init<Other>(
        _ keyPath: any KeyPath<M, RecordID<Other>> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> RecordID<Other>)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(ofID: keyPath, name, of: "\(Other.self)")
    }

    /// Creates the definition of a property that holds a bare id or nil, which is a ``SchemaError`` when the
    /// application starts, because the record would be read with its own id in that property.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the property.
    ///   - makeDefault: A closure that returns the default value of a new record; nil for no default.
    ///   - attributes: The options of `@Attribute`.
    @available(*, deprecated, message: "a record refers to another by a Reference<…>, not by its id")
    public init<Other>(
        _ keyPath: any KeyPath<M, RecordID<Other>?> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> RecordID<Other>?)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        self.init(ofID: keyPath, name, of: "\(Other.self)")
    }

    private init(ofID keyPath: any AnyKeyPath & Sendable, _ name: String, of model: String) {
        var traits = StoredValueTraits()
        traits.mistake = "is the id of a record. Declare it as Reference<\(model)>, which the store can follow."
        property = PropertySchema(
            name: name, type: .uuid, isOptional: false, attributes: [], keyPath: keyPath, relationship: nil,
            makeDefault: nil, traits: traits
        )
    }
}
