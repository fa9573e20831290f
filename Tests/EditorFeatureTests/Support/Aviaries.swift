// This schema has no Swift types for its models, because the feature works with schemas only.

import Foundation

@testable import AviaryDomain

let animalSchema = ModelSchema(
    name: "Animal",
    properties: [
        property("name", .string, attributes: [.unique, .required]),
        property("diet", .choice(["herbivorous", "carnivorous"]), default: { .text("carnivorous") }),
        property("legs", .integer, isOptional: true),
        property("isTame", .boolean),
        property("seen", .date, isOptional: true),
        property("category", .toOne(model: "AnimalCategory"), isOptional: true),
        property("keepers", .toMany(model: "Keeper"), relationship: RelationshipOptions()),
    ])

func property(
    _ name: String, _ type: PropertyType, isOptional: Bool = false, attributes: Set<AttributeOption> = [],
    relationship: RelationshipOptions? = nil, default makeDefault: (@Sendable () -> FieldValue)? = nil
) -> PropertySchema {
    // No test looks up a property by its key path.
    PropertySchema(
        name: name, type: type, isOptional: isOptional, attributes: attributes, keyPath: \Record.id,
        relationship: relationship, makeDefault: makeDefault
    )
}

func okapi(version: Int64 = 7, name: String = "Okapi") -> Record {
    Record(
        id: .version7(), version: version,
        values: [
            .text(name), .text("herbivorous"), .integer(4), .integer(1), .text("2026-11-20T18:39:55.123Z"), .null,
        ])
}

func draft(of record: UUID = .version7(), version: Int64? = nil, epoch: String = "1", fields: [FormField]) -> Draft {
    Draft(
        id: .version7(), record: record, model: "Animal", version: version, sequence: 1, user: "ada",
        restoreEpoch: epoch, schemaFingerprint: "", savedAt: .distantPast, expiresAt: .distantFuture, fields: fields
    )
}

extension Principal {
    /// Returns a principal that has all permissions on records except the one that the given permission removes.
    static func with(_ permission: Permission) -> Principal {
        Principal(
            account: UUID(), name: "kim", role: Role("kim", .allowEverywhere(.view, .add, .edit, .delete), permission),
            epoch: 1)
    }

    /// A principal that has all permissions.
    static let ada = Principal(account: UUID(), name: "ada", role: .admin, epoch: 1)
}
