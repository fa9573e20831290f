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

    /// Rejects a property of any other type at compile time, with a message that says what to do instead.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot be stored: make it Codable and Sendable, mark the property @Transient, or use a type that StoredValue names"
    )
    public init<Value>(
        _ keyPath: any KeyPath<M, Value> & Sendable,
        _ name: String,
        default makeDefault: (() -> Value)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        property = PropertySchema(
            name: name, type: .json, isOptional: false, attributes: attributes, keyPath: keyPath, relationship: nil,
            makeDefault: nil
        )
    }

    /// Rejects a property that holds a bare id at compile time. The store would confuse it with the record's own id.
    @available(*, unavailable, message: "a record refers to another by a Reference<…>, not by its id")
    public init<Other>(
        _ keyPath: any KeyPath<M, RecordID<Other>> & Sendable,
        _ name: String,
        default makeDefault: (@Sendable () -> RecordID<Other>)? = nil,
        attributes: Set<AttributeOption> = []
    ) {
        property = PropertySchema(
            name: name, type: .toOne(model: "\(Other.self)"), isOptional: false, attributes: attributes,
            keyPath: keyPath,
            relationship: nil, makeDefault: nil
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
