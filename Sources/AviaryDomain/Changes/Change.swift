public import Foundation

/// One step of a ``ChangeSet``.
public enum Change: Sendable, Hashable, Codable {
    /// Stores a new record; a stored property that is not named gets its default.
    case insert(model: String, id: UUID, values: [String: FieldValue])
    /// Changes the named properties of the record, if it still has the version that the editor saw.
    case update(model: String, id: UUID, version: Int64, values: [String: FieldValue])
    /// Deletes the record and what its delete rules take along, if it still has the version that the editor saw, where one is
    /// named. A record that is gone already is no error.
    case delete(model: String, id: UUID, version: Int64? = nil)
    /// Links the record with another by a many-to-many property; either side's property will do. What is linked already
    /// stays so. Both records must exist when the change set ends.
    case link(model: String, property: String, id: UUID, target: UUID)
    /// Ends a link. Where there is none, nothing changes.
    case unlink(model: String, property: String, id: UUID, target: UUID)

    package var model: String {
        switch self {
        case .insert(let model, _, _), .update(let model, _, _, _), .delete(let model, _, _), .link(let model, _, _, _),
            .unlink(let model, _, _, _):
            model
        }
    }
}
