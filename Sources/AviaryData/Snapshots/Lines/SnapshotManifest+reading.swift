import AviaryDomain
import Foundation

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
