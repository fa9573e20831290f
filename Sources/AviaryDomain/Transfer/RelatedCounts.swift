import Foundation

/// The numbers of related records of the records that a file inserts or names, for to-many properties with bounds.
///
/// They show by line the problems that the store would find at the end of the change set.
struct RelatedCounts {
    private struct Key: Hashable {
        let side: LinkRelation.Side
        let id: UUID
    }

    private struct Entry {
        /// The first line that names the record, or the line that exceeds the maximum.
        var line: Int
        var count: Int
        /// Indicates whether the record is that of the line.
        var isImported: Bool
    }

    private struct Pair: Hashable {
        let relation: LinkRelation
        let source: UUID
        let target: UUID
    }

    private let schema: Schema
    /// The to-many properties that have bounds.
    private let sides: [LinkRelation.Side]
    private var entries: [Key: Entry] = [:]
    private var order: [Key] = []
    private var pairs: Set<Pair> = []

    /// Creates counts for an import.
    ///
    /// - Parameters:
    ///   - schema: The schema of the application.
    ///   - model: The model of the imported records. Only the bounds of this model and of the models that it refers
    ///     to can be violated.
    init(_ schema: Schema, importing model: ModelSchema) {
        self.schema = schema
        let touched = Set([model.name] + model.properties.compactMap(\.type.model))
        let links = schema.links.flatMap { $0.isSymmetric ? [$0.source] : [$0.source, $0.target] }
        sides = (links + schema.foreignKeys.compactMap(\.countedSide)).filter {
            $0.count != .any && touched.contains($0.model)
        }
    }

    var isEmpty: Bool { sides.isEmpty }

    /// Adds a new record, which has no related records yet.
    mutating func begin(_ id: UUID, of model: String, on line: Int, isImported: Bool) {
        for side in sides where side.model == model {
            let key = Key(side: side, id: id)
            // An earlier line may already have named the record.
            if entries[key] == nil { order.append(key) }
            entries[key] = Entry(line: line, count: entries[key]?.count ?? 0, isImported: isImported)
        }
    }

    /// Adds the references of a record.
    mutating func add(_ values: [String: FieldValue], of model: String, on line: Int, lookUp: some RecordLookup)
        async throws
    {
        for key in schema.foreignKeys where key.model == model {
            guard let side = key.countedSide, case .text(let text)? = values[key.property],
                let id = UUID(canonicalText: text)
            else { continue }
            try await add(Key(side: side, id: id), on: line, lookUp: lookUp)
        }
    }

    /// Adds a link of the record by one of its properties.
    mutating func link(_ id: UUID, with other: UUID, by end: LinkEnd, on line: Int, lookUp: some RecordLookup)
        async throws
    {
        let ids =
            end.isInverse || end.relation.isSymmetric && other.canonicalText < id.canonicalText
            ? (other, id) : (id, other)
        guard pairs.insert(Pair(relation: end.relation, source: ids.0, target: ids.1)).inserted else { return }
        try await add(Key(side: end.own, id: id), on: line, lookUp: lookUp)
        if end.relation.isSymmetric, id == other { return }
        try await add(Key(side: end.other, id: other), on: line, lookUp: lookUp)
    }

    private mutating func add(_ key: Key, on line: Int, lookUp: some RecordLookup) async throws {
        guard key.side.count != .any, let model = schema.model(key.side.model) else { return }
        if entries[key] == nil {
            let stored = try await lookUp.count(of: key.side.property, of: model, id: key.id)
            entries[key] = Entry(line: line, count: stored, isImported: false)
            order.append(key)
        }
        entries[key]?.count += 1
        guard let entry = entries[key], let most = key.side.count.maximum, entry.count - 1 == most, !entry.isImported
        else { return }
        entries[key]?.line = line
    }

    /// Returns the final problems, each with the line that represents it and the property.
    func problems() -> [(line: Int, property: String, isImported: Bool, message: String)] {
        order.compactMap { key in
            guard let entry = entries[key], !key.side.count.contains(entry.count),
                let model = schema.model(key.side.model)
            else { return nil }
            let label = model.property(key.side.property)?.labelInSentence ?? key.side.property
            let name = TextFormatter.capitalized(TextFormatter.withArticle(model.singularName)),
                bound = key.side.count.bound(brokenBy: entry.count)
            let message =
                entry.isImported
                ? localized("\(name) must have \(bound) of its \(label). This one would have \(entry.count).")
                : localized(
                    "\(name) must have \(bound) of its \(label). One that this line names would have \(entry.count).")
            return (entry.line, key.side.property, entry.isImported, message)
        }
    }
}

extension ForeignKey {
    /// The to-many property that is the inverse of the reference; nil when there is none.
    fileprivate var countedSide: LinkRelation.Side? {
        inverse.map { LinkRelation.Side(model: target, property: $0, deleteRule: deleteRule, count: count) }
    }
}
