public import Foundation

/// One step of a ``ChangeSet``.
public enum Change: Sendable, Hashable, Codable {
    /// Inserts a new record. A stored property that `values` does not name gets its default value.
    case insert(model: String, id: UUID, values: [String: FieldValue])

    /// Changes the named properties of a record.
    ///
    /// The store rejects the change with ``StoreError/conflict(model:current:)`` when the record does not have the
    /// given version any more.
    case update(model: String, id: UUID, version: Int64, values: [String: FieldValue])

    /// Deletes a record and the records that its delete rules delete with it.
    ///
    /// With a version, the store rejects the change when the record does not have this version any more. Deleting a
    /// record that does not exist is no error.
    case delete(model: String, id: UUID, version: Int64? = nil)

    /// Links a record with another by a many-to-many property, of either side.
    ///
    /// Linking records that are linked already has no effect. Both records must exist after the last change of the
    /// change set.
    case link(model: String, property: String, id: UUID, target: UUID)
    /// Removes the link between two records. Without a link, the change has no effect.
    case unlink(model: String, property: String, id: UUID, target: UUID)

    package var model: String {
        switch self {
        case .insert(let model, _, _), .update(let model, _, _, _), .delete(let model, _, _), .link(let model, _, _, _),
            .unlink(let model, _, _, _):
            model
        }
    }
}
