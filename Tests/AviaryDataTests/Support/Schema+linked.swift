@testable import AviaryDomain

/// Places of properties without a Swift model behind them: a relation names its inverse by a place.
struct Places {
    var authors = 0
    var books = 0
    var follows = 0
    var followers = 0
}

extension PropertySchema {
    /// A side of a many-to-many relation.
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
    /// A model with a name and relations.
    static func named(_ name: String, _ relations: PropertySchema...) -> ModelSchema {
        ModelSchema(name: name, properties: [.made("name", .string)] + relations)
    }
}

extension Schema {
    /// Books with authors.
    static func library(_ others: ModelSchema...) throws -> Schema {
        try Schema(
            [
                .named("Book", .related("authors", to: "Author", at: \Places.authors, inverse: \Places.books)),
                .named("Author", .related("books", to: "Book", at: \Places.books)),
            ] + others)
    }
}
