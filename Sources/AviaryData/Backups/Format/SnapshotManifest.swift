import AviaryDomain

/// The first line of a snapshot.
struct SnapshotManifest: Sendable, Hashable {
    static let format = "aviary.snapshot"
    /// The second has the log.
    static let version: Int64 = 2
    static let readableVersions: ClosedRange<Int64> = 1...version

    let app: String
    let createdAt: String
    let commit: Int64
    /// As in `Schema.summary`, by model.
    let schema: [String: [String]]
    /// The whole of it, as it was written.
    let writtenSchema: JSONValue
    /// Of the migration plan of the program that wrote it; nil where it has none.
    let schemaVersion: String?
    let counts: [String: Int]
    /// Of many-to-many relations by their names; none in a snapshot of a schema without them.
    let linkCounts: [String: Int]
    /// The relations as `Book.authors toMany(Author)`, `Person.friends toMany(Person) symmetric`.
    let linkLines: [String]
    /// Nil in a snapshot of version 1.
    let log: SnapshotLog?
}

extension SnapshotManifest {
    static func write(
        app: String, createdAt: String, commit: Int64, schema: Schema, counts: [String: Int], linkCounts: [String: Int],
        includesSecrets: Bool, schemaVersion: String?, log: SnapshotLog, to json: inout JSONWriter
    ) {
        json.raw("{\"format\":")
        json.text(format)
        json.raw(",\"version\":")
        json.integer(version)
        json.raw(",\"app\":")
        json.text(app)
        json.raw(",\"createdAt\":")
        json.text(createdAt)
        json.raw(",\"commit\":")
        json.integer(commit)
        json.raw(",\"schema\":")
        json.schema(schema)
        if let schemaVersion {
            json.raw(",\"schemaVersion\":")
            json.text(schemaVersion)
        }
        // Said where there are any: whoever reads the file must not look for what was never written.
        if schema.withholdsSecrets {
            json.raw(",\"secrets\":")
            json.boolean(includesSecrets)
        }
        json.raw(",\"models\":")
        json.list(schema.snapshotModels) { json, model in
            json.raw("{\"name\":")
            json.text(model.name)
            json.raw(",\"count\":")
            json.integer(Int64(counts[model.name] ?? 0))
            json.raw("}")
        }
        let links = schema.snapshotLinks
        if !links.isEmpty {
            json.raw(",\"links\":")
            json.list(links) { json, relation in
                json.raw("{\"model\":")
                json.text(relation.source.model)
                json.raw(",\"property\":")
                json.text(relation.source.property)
                json.raw(",\"target\":")
                json.text(relation.target.model)
                json.raw(",\"count\":")
                json.integer(Int64(linkCounts[relation.name] ?? 0))
                json.raw("}")
            }
        }
        json.raw(",\"log\":")
        log.write(to: &json)
        json.raw("}\n")
    }
}

extension JSONWriter {
    mutating func list<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(",") }
            write(&self, element)
        }
        raw("]")
    }
}
