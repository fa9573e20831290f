import AviaryDomain
import Foundation

/// The schemas of a store, before and after a change of the program.
enum SampleSchemas {
    static let keeper = ModelSchema(
        name: "Keeper",
        properties: [
            property("name", .string), related("samples", to: "Sample", at: \Places.samples, RelationshipOptions()),
        ])

    static func old() throws -> Schema {
        try Schema([sample(oldProperties), keeper])
    }

    /// The key paths for relationships of models without a Swift type, because a relationship names its inverse by
    /// a key path.
    private struct Places {
        var keepers = 0
        var samples = 0
    }

    private static let oldProperties = [
        property("title", .string), property("code", .string), property("grams", .integer), property("note", .string),
        property("diet", .choice(["plants", "meat"])), property("year", .integer), property("spare", .integer),
    ]

    /// Returns the schema after one kind of change, or after all of them.
    static func new(_ kind: ChangeKind) throws -> Schema {
        if kind == .all {
            return try Schema([sample(allProperties, indexes: [["code", "year"]], keepers: carers), keeper])
        }
        var properties = oldProperties
        var unique: [[String]] = [], indexes: [[String]] = []
        switch kind {
        case .added: properties.append(property("legs", .integer, default: .integer(4)))
        case .renamed: properties[0] = property("name", .string, [.originalName("title")])
        case .widenedInPlace: properties[4] = property("diet", .string)
        case .widened: properties[2] = property("grams", .double)
        case .optional: properties[3] = property("note", .string, optional: true)
        case .indexed: indexes = [["year", "code"]]
        case .unique: properties[1] = property("code", .string, [.unique])
        case .uniqueTogether: unique = [["title", "code"]]
        case .relation: properties.append(property("keeper", .toOne(model: "Keeper"), optional: true))
        case .links: return try Schema([sample(properties, keepers: carers), keeper])
        case .dropped: properties.removeLast()
        case .all: break
        }
        return try Schema([sample(properties, unique: unique, indexes: indexes), keeper])
    }

    private static let allProperties = [
        property("name", .string, [.originalName("title")]), property("code", .string, [.unique]),
        property("weight", .double, [.originalName("grams")]), property("note", .string, optional: true),
        property("diet", .string), property("year", .integer), property("legs", .integer, default: .integer(4)),
        property("keeper", .toOne(model: "Keeper"), optional: true),
    ]

    private static func sample(
        _ properties: [PropertySchema], unique: [[String]] = [], indexes: [[String]] = [],
        keepers: PropertySchema = keepers
    ) -> ModelSchema {
        ModelSchema(name: "Sample", properties: properties + [keepers], uniqueConstraints: unique, indexes: indexes)
    }

    private static let keepers = related(
        "keepers", to: "Keeper", at: \Places.keepers, RelationshipOptions(inverse: \Places.samples))
    private static let carers = related(
        "carers", to: "Keeper", at: \Places.keepers,
        RelationshipOptions(originalName: "keepers", inverse: \Places.samples)
    )

    private static func related(
        _ name: String, to model: String, at place: any KeyPath<Places, Int> & Sendable,
        _ relationship: RelationshipOptions
    ) -> PropertySchema {
        PropertySchema(
            name: name, type: .toMany(model: model), isOptional: false, attributes: [], keyPath: place,
            relationship: relationship,
            makeDefault: nil
        )
    }

    private static func property(
        _ name: String, _ type: PropertyType, _ attributes: Set<AttributeOption> = [], optional: Bool = false,
        default value: FieldValue? = nil
    ) -> PropertySchema {
        var makeDefault: (@Sendable () -> FieldValue)?
        if let value { makeDefault = { value } }
        // The key path is never used, because the values are given by name.
        return PropertySchema(
            name: name, type: type, isOptional: optional, attributes: attributes, keyPath: \String.count,
            relationship: nil,
            makeDefault: makeDefault
        )
    }
}
