import AviaryDomain
import Foundation

/// A model with a property of each kind that an import treats differently.
let specimenSchema = model(
    "Specimen",
    property("code", .string, attributes: [.unique, .required]),
    property("note", .string),
    property("bodyMass", .integer, isOptional: true),
    property("diet", .choice(["herbivorous", "carnivorous"]), default: { .text("carnivorous") }),
    property("isAdult", .boolean, default: { .integer(1) }),
    property("species", .toOne(model: "Species"), isOptional: true),
    property("visits", .toMany(model: "Visit"))
)

let speciesSchema = model("Species", property("name", .string, attributes: [.unique, .required]))

/// An insert of a plan.
struct Insert: Equatable {
    let model: String
    let id: UUID
    let values: [String: FieldValue]
}

extension ImportPlan {
    var inserts: [Insert] {
        changes.compactMap { change in
            guard case .insert(let model, let id, let values) = change else { return nil }
            return Insert(model: model, id: id, values: values)
        }
    }
}

/// Returns the schema of `specimen` and the model that it references.
func importSchema(specimen: ModelSchema = specimenSchema, species: ModelSchema = speciesSchema) throws -> Schema {
    // The to-many relation exists only to be rejected as a mapping. The schema omits it.
    try Schema([ModelSchema(name: specimen.name, properties: specimen.storedProperties), species])
}

func plan(
    _ text: String, mapping: [String] = [], nullMarkers: Set<String> = [], createRelated: Bool = false,
    specimen: ModelSchema = specimenSchema, species: ModelSchema = speciesSchema, existing: [String: UUID] = [:]
) async throws -> ImportPlan {
    let settings = RecordImport(
        model: specimen, schema: try importSchema(specimen: specimen, species: species),
        mapping: try mapping.map { try FieldMapping(parsing: $0) }, nullMarkers: nullMarkers,
        createRelated: createRelated
    )
    return try await settings.plan(
        Array(text.utf8),
        lookUp: StoredInMemory { _, values in
            guard case .text(let title)? = values["name"] else { return [] }
            return existing.filter { $0.key.utf8.elementsEqual(title.utf8) }.map(\.value)
        })
}

/// A lookup that answers as a test configures it.
struct StoredInMemory: RecordLookup {
    var known: Set<UUID> = []
    var counts: [UUID: Int] = [:]
    let find: @Sendable (ModelSchema, [String: FieldValue]) async throws -> [UUID]

    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        try await find(model, values)
    }
    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { known.contains(id) }
    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { counts[id] ?? 0 }
}

/// Returns the printed error of an import, or nil if it succeeds.
func importError(
    _ text: String, mapping: [String] = [], nullMarkers: Set<String> = [], createRelated: Bool = false,
    specimen: ModelSchema = specimenSchema, species: ModelSchema = speciesSchema
) async -> String? {
    do {
        _ = try await plan(
            text, mapping: mapping, nullMarkers: nullMarkers, createRelated: createRelated, specimen: specimen,
            species: species
        )
        return nil
    } catch {
        return String(describing: error)
    }
}
