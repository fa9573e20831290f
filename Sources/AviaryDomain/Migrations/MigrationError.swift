public import Foundation

/// An error that ended a migration. The store's file is unchanged. The error never contains values of records.
public enum MigrationError: Error, Sendable, Hashable {
    /// The version does not have this model.
    case unknownModel(String)
    /// The version does not have this many-to-many relation.
    case unknownRelation(String)
    /// The record to update, delete or link does not exist.
    case notFound(model: String, id: UUID)
    /// A record with the id of the record to insert exists already.
    case alreadyExists(model: String, id: UUID)
    /// A stage made a record with a value that its model does not accept.
    case invalid(model: String, id: UUID, property: String, reason: String)
    /// A stage threw an error; `reason` describes it.
    case failed(stage: String, reason: String)
}

extension MigrationError: CustomStringConvertible {
    /// A sentence that describes the error and what to do about it.
    public var description: String {
        switch self {
        case .unknownModel(let model):
            "The version that is migrated has no model \(model). Name it among the version's models."
        case .unknownRelation(let property):
            "\(property) is no many-to-many relation of the version that is migrated. Name a Related whose inverse is a Related too."
        case .notFound(let model, let id):
            "There is no \(model) \(id.canonicalText) to be changed."
        case .alreadyExists(let model, let id):
            "There is a \(model) \(id.canonicalText) already. Give a new record an id of its own."
        case .invalid(let model, let id, let property, let reason):
            "\(model) \(id.canonicalText) would not fit its model: \(property): \(reason)"
        case .failed(let stage, let reason):
            "The stage \(stage) failed: \(reason)"
        }
    }
}
