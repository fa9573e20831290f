/// A property as `@Model` declares it. The key path's type decides what the property is, so the macro never
/// needs to know the type.
public struct PropertyDefinition<M: Model>: Sendable {
    package let property: PropertySchema

    /// A stored value, optional or not.
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

    /// A value of a type that is `Codable` and nothing else: it is stored as JSON.
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

    /// For any other type, so that the compiler says what to do instead.
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

    /// An id that is not the record's own would be taken for it.
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

    /// A to-many relation.
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
