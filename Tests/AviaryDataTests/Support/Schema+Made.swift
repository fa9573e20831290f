@testable import AviaryDomain

extension PropertySchema {
    /// A property without a Swift type behind it.
    static func made(
        _ name: String, _ type: PropertyType, optional: Bool = false, unique: Bool = false, required: Bool = false,
        fullText: Bool = false,
        default value: FieldValue? = nil, formerly originalName: String? = nil
    ) -> PropertySchema {
        var attributes: Set<AttributeOption> = []
        if unique { attributes.insert(.unique) }
        if required { attributes.insert(.required) }
        if fullText { attributes.insert(.fullText) }
        if let originalName { attributes.insert(.originalName(originalName)) }
        var makeDefault: (@Sendable () -> FieldValue)?
        if let value { makeDefault = { value } }
        // Nothing looks at it: the values are given by name.
        let keyPath: any KeyPath<Category, String> & Sendable = \Category.name
        return PropertySchema(
            name: name, type: type, isOptional: optional, attributes: attributes, keyPath: keyPath, relationship: nil,
            makeDefault: makeDefault
        )
    }
}

extension Schema {
    /// Of a model `Animal`, and others.
    static func made(_ animal: PropertySchema..., others: [ModelSchema] = []) throws -> Schema {
        try Schema([ModelSchema(name: "Animal", properties: animal)] + others)
    }
}
