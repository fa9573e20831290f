public import Foundation

/// Why the store refused. Nothing of the change set was stored; only where the store did not answer, or stopped because a
/// flush failed, is that not certain. Sending the same change set again is safe in any case: it is stored once.
///
/// More cases may be added: match the ones you handle and treat the rest by ``description``.
public enum StoreError: Error, Sendable, Hashable, Codable {
    /// Values that break a rule of the schema.
    case invalid(model: String, [FieldProblem])
    /// Another record already has this value.
    case notUnique(model: String, property: String)
    /// Another record already has all these values together.
    case notUniqueTogether(model: String, properties: [String])
    /// A reference to a record that does not exist (any more).
    case missingReference(model: String, property: String)
    /// A record would be related to fewer or more records than its to-many property allows: so many.
    case relatedCount(model: String, id: UUID, property: String, count: Int, allowed: ModelCount)
    /// The record to change does not exist (any more).
    case notFound(model: String, id: UUID)
    /// The record was changed since the editor saw it; carries it as it is now.
    case conflict(model: String, current: Record)
    /// A delete rule forbids the delete while these many records refer to it.
    case deleteDenied(model: String, referencedBy: String, count: Int)
    /// The delete takes more records along than the change set allows.
    case needsConfirmation(DeletePlan)
    /// A change set of this id was stored with other content.
    case alreadySaved(commit: Int64)
    /// A draft of this id was discarded.
    case alreadyDiscarded
    /// The commit cannot be taken back: what stands against it, the first hundred.
    case undoRefused(commit: Int64, [UndoObstacle])
    /// The change set names something that the schema does not have.
    case malformed(String)
    /// More wait for the store than it lets wait; the same change set can be sent again after so many seconds.
    case busy(retryAfter: Int)
    /// The disk is full; the same change set can be sent again when there is room. Reading goes on.
    case outOfSpace
    /// The store's file is damaged where this would be stored. Nothing was stored; what does not touch that place can be.
    case damaged
    /// The store cannot take writes now; the same change set can be sent again.
    case unavailable(String)
    /// The store did not answer: whether the change set was stored is not known. The same change set can be sent again and
    /// is stored once.
    case unanswered
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalid(let model, let problems):
            "\(model): " + problems.map { "\($0.property): \($0.message)" }.joined(separator: " ")
        case .notUnique(let model, let property): "Another \(model) already has this \(property)."
        case .notUniqueTogether(let model, let properties):
            "Another \(model) already has the same \(Words.list(properties))."
        case .missingReference(let model, let property): "\(model).\(property) points to a record that does not exist."
        case .relatedCount(let model, _, let property, let count, let allowed):
            "\(model).\(property) takes \(allowed.bound(brokenBy: count)), and there would be \(count)."
        case .notFound(let model, _): "This \(model) does not exist any more."
        case .conflict(let model, _): "This \(model) was changed by someone else in the meantime."
        case .deleteDenied(let model, let other, let count):
            "\(count) \(other) still refer to this \(model). Delete them or let them refer to something else first."
        case .needsConfirmation(let plan):
            "The delete takes \(plan.cascadeCount) other records along. Confirm it first."
        case .alreadySaved: "This was saved already, with other content."
        case .alreadyDiscarded: "This draft was discarded."
        case .undoRefused(let commit, let obstacles):
            "Commit \(commit) cannot be undone. " + obstacles.prefix(3).map(\.description).joined(separator: " ")
        case .busy(let seconds): "The store is busy. Try again in \(seconds) s."
        case .outOfSpace: "The disk is full. Free some space; nothing has to be restarted."
        case .damaged:
            "The store's file is damaged where this would be stored. Tell whoever runs the server; everything else can be saved."
        case .malformed(let reason): "The change set does not fit the schema: \(reason)"
        case .unavailable(let reason): "The store takes no writes now: \(reason)"
        case .unanswered: "The store did not answer in time, so it is not known whether this was stored."
        }
    }
}
