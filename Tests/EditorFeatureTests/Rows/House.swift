import Foundation

@testable import AviaryDomain
@testable import EditorFeature

/// A house with its keepers, who are rows of its sheet.
struct House: Sendable {
    static let keeperSchema = ModelSchema(
        name: "Keeper",
        properties: [
            property("name", .string, attributes: [.required]), property("since", .integer, isOptional: true),
            property("house", .toOne(model: "House")),
        ])
    /// Keepers with unique names, or with names that are unique in their house, and with a rule.
    static func keeperSchema(isUniqueInHouse: Bool) -> ModelSchema {
        ModelSchema(
            name: "Keeper",
            properties: [
                property("name", .string, attributes: isUniqueInHouse ? [.required] : [.required, .unique]),
                property("since", .integer, isOptional: true), property("house", .toOne(model: "House")),
            ], uniqueConstraints: isUniqueInHouse ? [["house", "name"]] : [],
            validation: { record in
                record.values[1] == .integer(0) ? [FieldProblem(property: "since", message: "Enter a later year.")] : []
            })
    }
    static let schema = schema(asking: RelationshipOptions())

    static func schema(asking keepers: RelationshipOptions) -> ModelSchema {
        ModelSchema(
            name: "House",
            properties: [
                property("name", .string, attributes: [.required]),
                property("keepers", .toMany(model: "Keeper"), relationship: keepers),
            ])
    }
    static func sheet(
        readOnly: Set<String> = [], of keeperSchema: ModelSchema = keeperSchema
    ) -> SheetConfiguration {
        var sheet = SheetConfiguration()
        sheet.rows = [
            ChildRows(
                property: "keepers", schema: keeperSchema.readOnly(readOnly), reference: "house",
                fields: ["name", "since"])
        ]
        return sheet
    }

    let record: Record
    private let schema: ModelSchema
    private let houses: RecordsInMemory
    private let keepers: RecordsInMemory
    private let sheet: SheetConfiguration

    init(
        record: Record = Record(id: .version7(), version: 7, values: [.text("Aviary")]), keepers: [Record],
        strangers: [Record] = [],
        refusal: StoreError? = nil, asking options: RelationshipOptions = RelationshipOptions(),
        readOnly: Set<String> = [], rows keeperSchema: ModelSchema = keeperSchema
    ) {
        sheet = Self.sheet(readOnly: readOnly, of: keeperSchema)
        self.record = record
        schema = Self.schema(asking: options)
        houses = RecordsInMemory(refusal: refusal, schema: schema, records: [record])
        let own = keepers.map {
            Record(id: $0.id, version: $0.version, values: $0.values.dropLast() + [.text(record.id.canonicalText)])
        }
        self.keepers = RecordsInMemory(schema: keeperSchema, records: own + strangers)
    }

    /// The number of times that rows were read.
    var reads: Int { get async { await keepers.reads } }
    var submissions: [RecordSubmission] { get async { await houses.submissions } }
    private var sources: [String: any RecordRepository] { ["keepers": keepers] }

    func editing(as principal: Principal = .ada) async throws -> EditorViewModel {
        var editor = try EditorViewModel(
            editing: record, of: schema, sheet: sheet, repository: houses, principal: principal)
        try await editor.readRows(sources)
        return editor
    }

    func continuing(_ draft: Draft) async throws -> EditorViewModel {
        var editor = try EditorViewModel(
            continuing: draft, of: schema, sheet: sheet, stored: nil, repository: houses, principal: .ada)
        try await editor.readRows(sources, draft: draft)
        return editor
    }

    func submitted(_ rows: [FormField], name: String = "Aviary", as principal: Principal = .ada) async throws
        -> EditorViewModel
    {
        let form =
            [
                FormField(
                    name: "draft", value: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).canonicalText),
                FormField(name: "id", value: record.id.canonicalText), FormField(name: "version", value: "7"),
                FormField(name: "name", value: name),
            ] + rows
        var editor = try EditorViewModel(
            submitted: try FormSubmission(form, of: schema), of: schema, sheet: sheet, stored: record,
            repository: houses,
            principal: principal)
        try await editor.readRows(sources, form: form)
        return editor
    }

    var blankOrigin: String { ChildRow.digest(["name": "", "since": ""]) }

    /// Returns the rows as the sheet submits them, each with the digest of its original texts.
    func form(rows: [(record: Record, fields: [String: String])], origin: String? = nil) async throws -> [FormField] {
        rows.flatMap { row in
            let before = ["name": row.record.values[0].formText, "since": row.record.values[1].formText]
            return self.row(
                row.record.id, version: row.record.version, origin: origin ?? ChildRow.digest(before), row.fields)
        }
    }

    /// Returns the form fields of a row.
    ///
    /// - Parameter fields: The texts by property name; `.remove` is the checkbox.
    func row(_ id: UUID, version: Int64?, origin: String, _ fields: [String: String]) -> [FormField] {
        let entry = "keepers." + id.canonicalText
        return [
            FormField(name: "keepers.rows", value: id.canonicalText + (version.map { " \($0)" } ?? "")),
            FormField(name: entry + "..origin", value: origin),
        ] + fields.sorted { $0.key < $1.key }.map { FormField(name: entry + "." + $0.key, value: $0.value) }
    }
}

func keeper(_ name: String, since: Int64) -> Record {
    Record(id: .version7(), version: 3, values: [.text(name), .integer(since), .null])
}
