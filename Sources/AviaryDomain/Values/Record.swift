public import Foundation

/// A stored record without its Swift type: what the store, the admin and snapshots work on.
public struct Record: Sendable, Hashable, Codable, Identifiable {
    public let id: UUID
    /// The number of the commit that last changed the record. It only grows, also across delete and undo, so a
    /// stale version can never look fresh.
    public let version: Int64
    /// In the order of ``ModelSchema/storedProperties``.
    public let values: [FieldValue]
    /// For each to-one property the title of the record it points to; nil elsewhere. Empty when not asked for.
    public let referenceTitles: [String?]

    package init(id: UUID, version: Int64, values: [FieldValue], referenceTitles: [String?] = []) {
        self.id = id
        self.version = version
        self.values = values
        self.referenceTitles = referenceTitles
    }

    package func referenceTitle(at index: Int) -> String? {
        index < referenceTitles.count ? referenceTitles[index] : nil
    }
}

extension Record {
    package func value(_ property: String, in schema: ModelSchema) -> FieldValue {
        guard let index = schema.storedIndex(of: property), index < values.count else { return .null }
        return values[index]
    }

    /// What a person calls this record.
    package func title(in schema: ModelSchema) -> String {
        if let title = schema.titleProperty, case .text(let text) = value(title.name, in: schema),
            !text.isBlank
        {
            return text
        }
        return id.canonicalText
    }
}
