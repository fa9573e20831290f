public import Foundation

/// Why a migration ended. Nothing has changed then. Never carries a record's values.
public enum MigrationError: Error, Sendable, Hashable {
    /// The version has no such model.
    case unknownModel(String)
    /// The version has no such many-to-many relation.
    case unknownRelation(String)
    case notFound(model: String, id: UUID)
    case alreadyExists(model: String, id: UUID)
    /// A stage made a record whose values its own model does not take.
    case invalid(model: String, id: UUID, property: String, reason: String)
    /// A stage was not found its way through: what it threw.
    case failed(stage: String, reason: String)
}

extension MigrationError: CustomStringConvertible {
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
