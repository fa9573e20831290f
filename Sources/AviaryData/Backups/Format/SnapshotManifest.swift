import AviaryDomain
import Foundation

/// The first line of a snapshot.
struct SnapshotManifest: Sendable, Hashable {
    static let format = "aviary.snapshot"
    /// The version of the format that is written. Version 2 added the log.
    static let version: Int64 = 2
    static let readableVersions: ClosedRange<Int64> = 1...version

    let app: String
    let createdAt: String
    let commit: Int64
    /// The lines of `Schema.summary`, by model.
    let schema: [String: [String]]
    /// The complete schema, as written.
    let writtenSchema: JSONValue
    /// The schema version of the migration plan of the program that wrote the snapshot; nil if it had no plan.
    let schemaVersion: String?
    let counts: [String: Int]
    /// The numbers of links by the names of the many-to-many relations; empty for a schema without such relations.
    let linkCounts: [String: Int]
    /// The relations, such as `Book.authors toMany(Author)` or `Person.friends toMany(Person) symmetric`.
    let linkLines: [String]
    /// The numbers of the log's rows; nil in a snapshot of version 1.
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
        // The part is written only if the schema has secrets: a reader must not look for data that was never
        // written.
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

extension SnapshotManifest {
    // SQLite's largest file has 2^48 bytes, and an id with its index takes more than 2^6 of them. The counts are
    // added up, and their sum must not overflow.
    static let possibleCounts: ClosedRange<Int64> = 0...1 << 42
    // A thousand commits per millisecond for more than a century. The numbers continue after the restored commit.
    // The counters of accounts' revocations and of a clock's steps stay below this limit, too.
    static let possibleCommits: ClosedRange<Int64> = 0...1 << 53

    /// Creates a manifest from its JSON.
    ///
    /// - Throws: ``SnapshotError``, ``JSONError``.
    init(_ reader: inout JSONReader) throws {
        let value = try reader.value()
        try reader.finish()
        guard value["format"]?.text == Self.format else { throw SnapshotError(.notASnapshot) }
        guard let version = value["version"]?.integer, Self.readableVersions.contains(version) else {
            throw SnapshotError(.unsupportedVersion)
        }
        guard let app = value["app"]?.text, let createdAt = value["createdAt"]?.text else {
            throw SnapshotError(.malformedManifest(localized("the application or the time is missing.")))
        }
        guard let commit = value["commit"]?.integer else {
            throw SnapshotError(.malformedManifest(localized("the commit number is missing.")))
        }
        guard Self.possibleCommits.contains(commit) else {
            throw SnapshotError(.malformedManifest(localized("the commit number is too large.")))
        }
        guard let schema = value["schema"] else {
            throw SnapshotError(.malformedManifest(localized("the schema is missing.")))
        }
        // Both are shown to people, and the time becomes part of a name.
        guard !app.hasControlCharacters else { throw Self.unprintable }
        guard Date(rfc3339: createdAt) != nil else {
            throw SnapshotError(.malformedManifest(localized("the time is invalid.")))
        }
        self.app = app
        self.createdAt = createdAt
        self.commit = commit
        self.schema = try Self.summaries(of: schema)
        writtenSchema = schema
        schemaVersion = value["schemaVersion"]?.text
        guard schemaVersion?.hasControlCharacters != true else { throw Self.unprintable }
        counts = try Self.counts(in: value, models: Set(self.schema.keys))
        log = version == 1 ? nil : try SnapshotLog(value["log"], commit: commit)
        (linkCounts, linkLines) = try Self.linkCounts(in: value, symmetric: Self.symmetricRelations(of: schema))
    }

    /// Checks that the schema equals the one of the snapshot.
    ///
    /// A model that the snapshot does not contain is not a difference: it starts without records, as when a store
    /// opens with a new model.
    ///
    /// - Throws: ``SnapshotError`` that names the differences.
    func check(fits wanted: Schema) throws(SnapshotError) {
        var missing: [String] = []
        var added: [String] = []
        let lines = Dictionary(grouping: wanted.propertyLines) { String($0.prefix { $0 != "." }) }
        for (model, stored) in schema.sorted(by: { $0.key < $1.key }) {
            // The backup never writes a model whose records no snapshot contains.
            guard let known = wanted.model(model), known.snapshotContent != .nothing else {
                missing += stored.isEmpty ? [model] : stored
                continue
            }
            let current = lines[model] ?? []
            missing += stored.filter { !current.contains($0) }
            added += current.filter { !stored.contains($0) }
        }
        let relations = Set(wanted.links.map(Self.line))
        missing += linkLines.filter { !relations.contains($0) }
        guard missing.isEmpty, added.isEmpty else { throw SnapshotError(.otherSchema(missing: missing, added: added)) }
    }

    private static func line(of relation: LinkRelation) -> String {
        line(relation.name, relation.target.model, isSymmetric: relation.isSymmetric)
    }

    /// Returns the line of a relation. The name of its inverse is not part of it because the links do not depend on
    /// it.
    private static func line(_ name: String, _ target: String, isSymmetric: Bool) -> String {
        "\(name) \(PropertyType.toMany(model: target).name)" + (isSymmetric ? " symmetric" : "")
    }

    private static func linkCounts(
        in value: JSONValue, symmetric: Set<String>
    ) throws(SnapshotError) -> ([String: Int], lines: [String]) {
        guard let relations = value["links"] else { return ([:], []) }
        let problem = SnapshotError(
            .malformedManifest(localized("a many-to-many relation is incomplete or listed twice.")))
        guard let list = relations.list else { throw problem }
        var counts: [String: Int] = [:]
        var lines: [String] = []
        for entry in list {
            guard let model = entry["model"]?.text, let property = entry["property"]?.text,
                let target = entry["target"]?.text, let count = entry["count"]?.integer, possibleCounts.contains(count),
                counts.updateValue(Int(count), forKey: "\(model).\(property)") == nil
            else { throw problem }
            let name = "\(model).\(property)"
            guard !name.hasControlCharacters, !target.hasControlCharacters else { throw unprintable }
            lines.append(line(name, target, isSymmetric: symmetric.contains(name)))
        }
        return (counts, lines)
    }

    private static func counts(in value: JSONValue, models: Set<String>) throws(SnapshotError) -> [String: Int] {
        guard let list = value["models"]?.list else {
            throw SnapshotError(.malformedManifest(localized("the list of models is missing.")))
        }
        var counts: [String: Int] = [:]
        for entry in list {
            guard let name = entry["name"]?.text, let count = entry["count"]?.integer, possibleCounts.contains(count)
            else {
                throw SnapshotError(.malformedManifest(localized("a model’s name or count is missing.")))
            }
            guard counts.updateValue(Int(count), forKey: name) == nil else {
                throw SnapshotError(.malformedManifest(localized("a model is listed twice.")))
            }
        }
        guard Set(counts.keys) == models else {
            throw SnapshotError(.malformedManifest(localized("the listed models differ from the schema.")))
        }
        return counts
    }
}

// The models of the program that wrote the snapshot, created from the first line. They have no Swift types.
extension SnapshotManifest {
    /// Creates the schema that the snapshot was written with.
    ///
    /// - Parameter wanted: The program's own models, which determine what a snapshot contains of a model.
    /// - Throws: ``SnapshotError``.
    static func schema(_ value: JSONValue, like wanted: Schema) throws(SnapshotError) -> Schema {
        guard let list = value["models"]?.list else { throw incomplete }
        var models: [ModelSchema] = []
        for entry in list {
            guard let name = entry["name"]?.text, let properties = entry["properties"]?.list else { throw incomplete }
            var found: [PropertySchema] = []
            for property in properties { found.append(try Self.property(property, of: name)) }
            models.append(
                ModelSchema(name: name, properties: found).snapshots(
                    wanted.model(name)?.snapshotContent ?? .withoutSecrets))
        }
        do {
            return try Schema(models)
        } catch {
            throw SnapshotError(.malformedManifest(localized("the models don’t fit together.")))
        }
    }

    private static func property(_ value: JSONValue, of model: String) throws(SnapshotError) -> PropertySchema {
        guard let name = value["name"]?.text, let type = type(of: value), let isOptional = value["optional"]?.boolean,
            let attributes = value["attributes"]?.texts
        else { throw incomplete }
        return PropertySchema(
            name: name, type: type, isOptional: isOptional,
            // These attributes determine how records are stored. Validation rules apply to new values only.
            attributes: Set([AttributeOption.unique, .secret].filter { attributes.contains($0.name) }),
            keyPath: place("\(model).\(name)"), relationship: try relationship(value, type), makeDefault: nil
        )
    }

    private static func relationship(
        _ value: JSONValue, _ type: PropertyType
    ) throws(SnapshotError) -> RelationshipOptions? {
        guard case .toMany(let target) = type else { return nil }
        let rule = value["deleteRule"]?.text.flatMap(DeleteRule.init) ?? .nullify
        let minimum = try count("minimumModelCount", in: value)
        let maximum = try count("maximumModelCount", in: value)
        if value["symmetric"]?.boolean == true {
            return RelationshipOptions(
                .symmetric, deleteRule: rule, minimumModelCount: minimum, maximumModelCount: maximum)
        }
        return RelationshipOptions(
            deleteRule: rule, minimumModelCount: minimum, maximumModelCount: maximum,
            inverse: value["inverse"]?.text.map { place("\(target).\($0)") }
        )
    }

    private static func count(_ name: String, in value: JSONValue) throws(SnapshotError) -> Int? {
        guard let written = value[name] else { return nil }
        guard let count = written.integer, possibleCounts.contains(count) else { throw incomplete }
        return Int(count)
    }

    private static func type(of property: JSONValue) -> PropertyType? {
        switch property["type"]?.text {
        case "choice": property["choices"]?.texts.map(PropertyType.choice)
        case "toOne": property["model"]?.text.map { .toOne(model: $0) }
        case "toMany": property["model"]?.text.map { .toMany(model: $0) }
        case let name?: PropertyType(name: name)
        case nil: nil
        }
    }

    /// Returns a key path for a property without a Swift type. Two key paths are equal if their models and names
    /// are.
    private static func place(_ name: String) -> any AnyKeyPath & Sendable { \NamedKeyPaths.[name] }
}

private struct NamedKeyPaths {
    subscript(name: String) -> Bool { name.isEmpty }
}
