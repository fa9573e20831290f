import AviaryDesign
import AviaryDomain
import Foundation

/// The names of related records for one user. Records that the user is not allowed to see have no name.
struct RelatedNames {
    let schema: Schema
    let principal: Principal
    /// The titles of some of the records that block a delete.
    var titles: [DeleteObstacle: [RecordChoice]] = [:]

    func model(_ name: String) -> ModelSchema? {
        principal.may(.view, name) ? schema.model(name) : nil
    }

    func counted(_ name: String, _ count: Int) -> String {
        model(name)?.counted(count) ?? TextFormatter.otherRecords(count)
    }

    /// Returns the records of an obstacle in words, for example `3 animals (“Rex”, “Kea” and 1 more)`.
    func named(_ obstacle: DeleteObstacle) -> String {
        let (name, count) = obstacle.others
        let known = model(name) == nil ? [] : (titles[obstacle] ?? []).map(\.title)
        guard !known.isEmpty else { return counted(name, count) }
        let rest = count - known.count
        let list = TextFormatter.list(
            known.map { TextFormatter.quoted($0) }
                + (rest > 0 ? [localized("\(TextFormatter.grouped(rest)) more")] : []))
        return localized("\(counted(name, count)) (\(list))")
    }

    /// The links from the names to the records.
    var links: [LinkedText.Link] {
        titles.flatMap { obstacle, records in
            let paths = model(obstacle.others.model).map { ModelPaths($0) }
            return records.compactMap { record in
                paths.map { LinkedText.Link(TextFormatter.quoted(record.title), href: $0.record(record.id)) }
            }
        }
    }

    /// Returns the counts as a list, for example `3 animals and 2 other records`.
    func list(_ counts: [String: Int]) -> String {
        let named = counts.filter { model($0.key) != nil }.sorted { $0.key < $1.key }.map { counted($0.key, $0.value) }
        let others = counts.filter { model($0.key) == nil }.values.reduce(0, +)
        return TextFormatter.list(named + (others > 0 ? [TextFormatter.otherRecords(others)] : []))
    }
}

/// The name of a record in a sentence: its title, or the first of its values that the user is allowed to see.
struct RecordName {
    let principal: Principal

    /// The largest number of values in a name. They are enough to distinguish records.
    private static let mostValues = 3

    /// Returns the name of the record, or nil if it has only an identifier, which users do not recognize.
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
            // The reference title of a record without a title is its identifier, which is skipped.
            words =
                principal.may(.view, target)
                ? record.referenceTitle(at: index).flatMap { UUID(canonicalText: $0) == nil ? $0 : nil } : nil
        } else {
            words = property.words(for: record.value(property.name, in: schema), elements: 1)
        }
        return words.flatMap { $0.isBlank ? nil : $0 }
    }
}
