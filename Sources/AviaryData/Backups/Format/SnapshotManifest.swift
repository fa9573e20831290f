import AviaryDomain
import Foundation

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

extension SnapshotManifest {
    // SQLite's largest file has 2^48 bytes, and an id with its index takes more than 2^6 of them. Counts are added up, which must
    // not overflow.
    static let possibleCounts: ClosedRange<Int64> = 0...1 << 42
    // A thousand commits a millisecond for a century and more: the numbers go on behind it, and whatever counts accounts'
    // revocations or steps of a clock stays below it as well.
    static let possibleCommits: ClosedRange<Int64> = 0...1 << 53

    /// - Throws: ``SnapshotError``, ``JSONError``.
    init(_ reader: inout JSONReader) throws {
        let value = try reader.value()
        try reader.finish()
        guard value["format"]?.text == Self.format else { throw SnapshotError(.notASnapshot) }
        guard let version = value["version"]?.integer, Self.readableVersions.contains(version) else {
            throw SnapshotError(.unsupportedVersion)
        }
        guard let app = value["app"]?.text, let createdAt = value["createdAt"]?.text else {
            throw SnapshotError(.malformedManifest(localized("there is no app or no time.")))
        }
        guard let commit = value["commit"]?.integer else {
            throw SnapshotError(.malformedManifest(localized("there is no commit number.")))
        }
        guard Self.possibleCommits.contains(commit) else {
            throw SnapshotError(.malformedManifest(localized("its commit number is one that no store comes to.")))
        }
        guard let schema = value["schema"] else {
            throw SnapshotError(.malformedManifest(localized("there is no schema.")))
        }
        // They are shown to people, and the time becomes part of a name.
        guard !app.hasControlCharacters else { throw Self.unprintable }
        guard Date(rfc3339: createdAt) != nil else {
            throw SnapshotError(.malformedManifest(localized("its time is none.")))
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

    /// - Throws: ``SnapshotError`` that names what differs. A model that the snapshot does not know is no difference:
    ///   it begins without records, as when a store meets a new model.
    func check(fits wanted: Schema) throws(SnapshotError) {
        var missing: [String] = []
        var added: [String] = []
        let lines = Dictionary(grouping: wanted.propertyLines) { String($0.prefix { $0 != "." }) }
        for (model, stored) in schema.sorted(by: { $0.key < $1.key }) {
            // A snapshot that holds what none does was not written by backup.
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

    /// What the other side is called does not matter to the links.
    private static func line(_ name: String, _ target: String, isSymmetric: Bool) -> String {
        "\(name) \(PropertyType.toMany(model: target).name)" + (isSymmetric ? " symmetric" : "")
    }

    private static func linkCounts(
        in value: JSONValue, symmetric: Set<String>
    ) throws(SnapshotError) -> ([String: Int], lines: [String]) {
        guard let relations = value["links"] else { return ([:], []) }
        let problem = SnapshotError(
            .malformedManifest(localized("a many-to-many relation is incomplete, or listed twice.")))
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
            throw SnapshotError(.malformedManifest(localized("there is no list of models.")))
        }
        var counts: [String: Int] = [:]
        for entry in list {
            guard let name = entry["name"]?.text, let count = entry["count"]?.integer, possibleCounts.contains(count)
            else {
                throw SnapshotError(.malformedManifest(localized("a model has no name or no count.")))
            }
            guard counts.updateValue(Int(count), forKey: name) == nil else {
                throw SnapshotError(.malformedManifest(localized("a model is listed twice.")))
            }
        }
        guard Set(counts.keys) == models else {
            throw SnapshotError(.malformedManifest(localized("the models listed are not those of the schema.")))
        }
        return counts
    }
}

// The models of the program that wrote the snapshot, made anew from the first line: no Swift type stands behind them.
extension SnapshotManifest {
    /// - Parameter wanted: The program's own, which know what a snapshot holds of a model.
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
            throw SnapshotError(.malformedManifest(localized("its models do not fit together.")))
        }
    }

    private static func property(_ value: JSONValue, of model: String) throws(SnapshotError) -> PropertySchema {
        guard let name = value["name"]?.text, let type = type(of: value), let isOptional = value["optional"]?.boolean,
            let attributes = value["attributes"]?.texts
        else { throw incomplete }
        return PropertySchema(
            name: name, type: type, isOptional: isOptional,
            // What decides how records are kept; rules are for what is new.
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

    /// A key path for a property without a type: two are the same where model and name are.
    private static func place(_ name: String) -> any AnyKeyPath & Sendable { \NamedPlaces.[name] }
}

private struct NamedPlaces {
    subscript(name: String) -> Bool { name.isEmpty }
}
