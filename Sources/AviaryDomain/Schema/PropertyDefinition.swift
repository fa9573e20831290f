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
        var defaultValue: (@Sendable () -> FieldValue)?
        if let makeDefault {
            defaultValue = { makeDefault().fieldValue }
        }
        property = PropertySchema(
            name: name, type: Value.propertyType, isOptional: Value.isOptional, attributes: attributes,
            keyPath: keyPath, relationship: nil, makeDefault: defaultValue
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
