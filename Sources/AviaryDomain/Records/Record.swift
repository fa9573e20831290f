public import Foundation

/// A stored record without its Swift type, as the store, the admin and snapshots handle it.
public struct Record: Sendable, Hashable, Codable, Identifiable {
    /// The id of the record.
    public let id: UUID

    /// The number of the commit that last changed the record.
    ///
    /// It only increases, also across delete and undo, so an outdated version never equals the current one.
    public let version: Int64
    /// The values, in the order of ``ModelSchema/storedProperties``.
    public let values: [FieldValue]
    /// The titles of the referenced records: for each to-one property the title, nil for the other properties. Empty
    /// unless requested.
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
}

/// The identity of a record of any model.
package struct RecordKey: Sendable, Hashable {
    package let model: String
    package let id: UUID

    package init(model: String, id: UUID) {
        self.model = model
        self.id = id
    }
}
