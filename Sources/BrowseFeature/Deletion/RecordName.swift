import AviaryDomain
import Foundation

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
