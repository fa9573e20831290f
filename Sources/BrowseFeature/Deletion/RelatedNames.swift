import AviaryDesign
import AviaryDomain
import Foundation

/// What records of other models are called to somebody: by name, if they may be seen.
struct RelatedNames {
    let schema: Schema
    let principal: Principal
    /// Some of those that stand against a delete.
    var titles: [DeleteObstacle: [RecordChoice]] = [:]

    func model(_ name: String) -> ModelSchema? {
        principal.may(.view, name) ? schema.model(name) : nil
    }

    func counted(_ name: String, _ count: Int) -> String {
        model(name)?.counted(count) ?? Words.otherRecords(count)
    }

    /// `3 animals (“Rex”, “Kea” and 1 more)`.
    func named(_ obstacle: DeleteObstacle) -> String {
        let (name, count) = obstacle.others
        let known = model(name) == nil ? [] : (titles[obstacle] ?? []).map(\.title)
        guard !known.isEmpty else { return counted(name, count) }
        let rest = count - known.count
        let list = Words.list(
            known.map { Words.quoted($0) } + (rest > 0 ? [localized("\(Words.grouped(rest)) more")] : []))
        return localized("\(counted(name, count)) (\(list))")
    }

    /// From the names to the records.
    var links: [LinkedText.Link] {
        titles.flatMap { obstacle, records in
            let paths = model(obstacle.others.model).map { ModelPaths($0) }
            return records.compactMap { record in
                paths.map { LinkedText.Link(Words.quoted(record.title), href: $0.record(record.id)) }
            }
        }
    }

    /// `3 animals and 2 other records`.
    func list(_ counts: [String: Int]) -> String {
        let named = counts.filter { model($0.key) != nil }.sorted { $0.key < $1.key }.map { counted($0.key, $0.value) }
        let others = counts.filter { model($0.key) == nil }.values.reduce(0, +)
        return Words.list(named + (others > 0 ? [Words.otherRecords(others)] : []))
    }
}

/// What a record is called in a sentence: by its name, and where it has none by its first values, as far as somebody may see them.
struct RecordName {
    let principal: Principal

    /// So many values tell a record from others.
    private static let mostValues = 3

    /// Nil where there is nothing but an id, by which nobody knows it.
    func name(of record: Record, in schema: ModelSchema) -> String? {
        let title = record.title(in: schema)
        guard title == record.id.canonicalText else { return title }
        let values = schema.storedProperties.enumerated().compactMap { words(for: $1, at: $0, of: record, in: schema) }
        return values.isEmpty ? nil : values.prefix(Self.mostValues).joined(separator: ", ")
    }

    private func words(for property: PropertySchema, at index: Int, of record: Record, in schema: ModelSchema)
        -> String?
    {
        guard !property.isSecret, property.type != .boolean, principal.maySee(property.name, of: schema) else {
            return nil
        }
        let words: String?
        if let target = property.type.model {
            // One without a name goes by its id there.
            words =
                principal.may(.view, target)
                ? record.referenceTitle(at: index).flatMap { UUID(canonicalText: $0) == nil ? $0 : nil } : nil
        } else {
            words = property.words(for: record.value(property.name, in: schema), elements: 1)
        }
        return words.flatMap { $0.isBlank ? nil : $0 }
    }
}
