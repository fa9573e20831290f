@testable import AviaryDomain

extension PropertySchema {
    /// Creates a property without a Swift type behind it.
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
        // The key path is never used, because the values are given by name.
        let keyPath: any KeyPath<Category, String> & Sendable = \Category.name
        return PropertySchema(
            name: name, type: type, isOptional: optional, attributes: attributes, keyPath: keyPath, relationship: nil,
            makeDefault: makeDefault
        )
    }
}

extension Schema {
    /// Creates a schema of a model `Animal` and others.
    static func made(_ animal: PropertySchema..., others: [ModelSchema] = []) throws -> Schema {
        try Schema([ModelSchema(name: "Animal", properties: animal)] + others)
    }
}

/// Key paths for properties without a Swift model. A relation names its inverse by a key path.
struct Places {
    var authors = 0
    var books = 0
    var follows = 0
    var followers = 0
}

extension PropertySchema {
    /// Creates one side of a many-to-many relation.
    static func related(
        _ name: String, to model: String, at place: any KeyPath<Places, Int> & Sendable,
        inverse: (any KeyPath<Places, Int> & Sendable)? = nil, symmetric: Bool = false,
        formerly originalName: String? = nil
    ) -> PropertySchema {
        let relationship =
            symmetric
            ? RelationshipOptions(.symmetric, originalName: originalName)
            : RelationshipOptions(originalName: originalName, inverse: inverse)
        return PropertySchema(
            name: name, type: .toMany(model: model), isOptional: false, attributes: [], keyPath: place,
            relationship: relationship, makeDefault: nil
        )
    }
}

extension ModelSchema {
    /// Creates a model with a name and relations.
    static func named(_ name: String, _ relations: PropertySchema...) -> ModelSchema {
        ModelSchema(name: name, properties: [.made("name", .string)] + relations)
    }
}

extension Schema {
    /// Creates a schema of books with authors.
    static func library(_ others: ModelSchema...) throws -> Schema {
        try Schema(
            [
                .named("Book", .related("authors", to: "Author", at: \Places.authors, inverse: \Places.books)),
                .named("Author", .related("books", to: "Book", at: \Places.books)),
            ] + others)
    }
}
