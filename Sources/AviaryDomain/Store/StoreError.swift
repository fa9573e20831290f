public import Foundation

/// An error that the store reports when it does not commit a change set.
///
/// The store committed nothing of the change set. Only two errors leave this open: the store did not answer, or it
/// stopped because a flush failed. In every case you can send the same change set again; the store commits it once.
///
/// Later versions may add cases. Match the cases that you handle, and use ``description`` for the others.
public enum StoreError: Error, Sendable, Hashable, Codable {
    /// An error that occurs when values violate rules of the schema.
    case invalid(model: String, [FieldProblem])
    /// An error that occurs when another record has the same value in a unique property.
    case notUnique(model: String, property: String)
    /// An error that occurs when another record has the same values in all properties of a uniqueness constraint.
    case notUniqueTogether(model: String, properties: [String])
    /// An error that occurs when a reference points to a record that does not exist, or no longer exists.
    case missingReference(model: String, property: String)
    /// An error that occurs when a record would have `count` related records, which its to-many property does not
    /// allow.
    case relatedCount(model: String, id: UUID, property: String, count: Int, allowed: ModelCount)
    /// An error that occurs when the record to change does not exist, or no longer exists.
    case notFound(model: String, id: UUID)
    /// An error that occurs when the record was changed after the editor read it. `current` is the current record.
    case conflict(model: String, current: Record)
    /// An error that occurs when a delete rule forbids the delete while `count` records refer to the record.
    case deleteDenied(model: String, referencedBy: String, count: Int)
    /// An error that occurs when the delete rules would delete more records than ``ChangeSet/cascadeLimit`` allows.
    case needsConfirmation(DeletePlan)
    /// An error that occurs when a change set with this id and other content was committed before.
    case alreadySaved(commit: Int64)
    /// An error that occurs when a draft with this id was discarded.
    case alreadyDiscarded
    /// An error that occurs when the commit cannot be undone. It contains the first hundred obstacles.
    case undoRefused(commit: Int64, [UndoObstacle])
    /// An error that occurs when the change set names something that the schema does not have.
    case malformed(String)
    /// An error that occurs when the store's queue is full. Send the same change set again after `retryAfter`
    /// seconds.
    case busy(retryAfter: Int)
    /// An error that occurs when the disk is full. Reads still work. Send the same change set again when there is
    /// space.
    case outOfSpace
    /// An error that occurs when the store's file is damaged where the change would be stored. Nothing was stored.
    /// Changes of other parts are possible.
    case damaged
    /// An error that occurs when the store does not accept writes at present. Send the same change set again later.
    case unavailable(String)

    /// An error that occurs when the store did not answer in time, so it is unknown whether it committed the change
    /// set.
    ///
    /// Send the same change set again; the store commits it once.
    case unanswered
}

extension StoreError: CustomStringConvertible {
    /// A sentence that describes the error.
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
        case .notFound(let model, _): "This \(model) no longer exists."
        case .conflict(let model, _): "This \(model) was changed by someone else in the meantime."
        case .deleteDenied(let model, let other, let count):
            "\(count) \(other) still refer to this \(model). Delete them or let them refer to something else first."
        case .needsConfirmation(let plan):
            "The delete takes \(plan.cascadeCount) other records along. Confirm it first."
        case .alreadySaved: "This was already saved with other values."
        case .alreadyDiscarded: "This draft was discarded."
        case .undoRefused(let commit, let obstacles):
            "Commit \(commit) cannot be undone. " + obstacles.prefix(3).map(\.description).joined(separator: " ")
        case .busy(let seconds): "The store is busy. Try again in \(seconds) s."
        case .outOfSpace: "The disk is full. Free some space; nothing has to be restarted."
        case .damaged:
            "The store's file is damaged where this would be stored. Tell the administrator. Everything else can be saved."
        case .malformed(let reason): "The change set does not fit the schema: \(reason)"
        case .unavailable(let reason): "The store takes no writes now: \(reason)"
        case .unanswered: "The store did not respond in time, so it is unknown whether this was stored."
        }
    }
}

/// An error for a read that returned no result. Reads change nothing, so you can repeat each of them.
///
/// Later versions may add cases. Match the cases that you handle, and use ``description`` for the others.
public enum ReadError: Error, Sendable, Hashable {
    /// An error that occurs when the read ran for longer than the limit for reads of its kind and was interrupted.
    case tookTooLong(limit: Duration)
    /// An error that occurs when the task of the read was cancelled, for example because a client disconnected.
    case cancelled
    /// An error that occurs when the read did not start, because the greatest number of long reads of the process
    /// was running for the whole time limit.
    case queueFull(limit: Duration)
    /// An error that occurs when the read prevented a checkpoint of the write-ahead log and the log became too
    /// large, or when the log was already too large before the read began.
    case heldLog
    /// An error that occurs when another process had a lock on the store's file for the whole time limit.
    case storeBusy
}

extension ReadError: CustomStringConvertible {
    /// A sentence that describes the error and what to do about it.
    public var description: String {
        switch self {
        case .tookTooLong(let limit):
            "The read took longer than \(limit.components.seconds) s and was interrupted. Ask for less at once."
        case .cancelled: "The read was cancelled. Nobody waited for it any more; ask again if you do."
        case .queueFull(let limit):
            "The read waited \(limit.components.seconds) s for other long reads to end. Try again when fewer are at work."
        case .heldLog:
            "So much was saved while long reads were at work that this one gave way. Try again in a moment."
        case .storeBusy: "Another process held the store's file for too long. Try again in a moment."
        }
    }
}

/// An error that reports a data directory that cannot be used, and what to do about it.
public struct DataDirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the data directory.
    public let path: String
    /// The reason, as the end of a sentence whose subject is the path.
    public let reason: String
    /// A sentence that says what to do next.
    public let advice: String

    package init(path: String, reason: String, advice: String) {
        self.path = path
        self.reason = reason
        self.advice = advice
    }

    public var description: String { "\(path): \(reason) \(advice)" }
}

/// An error that can be logged: its text describes the event without a value of any record or form.
package protocol RedactedError: Error {
    var redacted: String { get }
}

extension Error {
    /// The text of the error for a log. For an error without this protocol, it is only the type, because the error's
    /// own text may contain anything.
    package var redactedText: String {
        if let error = self as? any RedactedError { return error.redacted }
        if self is CancellationError { return "cancelled" }
        // The domain and code contain no values: they are those of the system, or the name of an enum and the number
        // of a case.
        let error = self as NSError
        return "\(error.domain) \(error.code)"
    }
}

extension StoreError: RedactedError {
    /// The text for a log. It consists of names of the schema and numbers, and contains nothing that a person typed.
    package var redacted: String {
        switch self {
        case .invalid(let model, let problems): "invalid \(model): \(problems.map(\.property).joined(separator: ", "))"
        case .notUnique(let model, let property): "\(model).\(property) is not unique"
        case .notUniqueTogether(let model, let properties):
            "\(properties.joined(separator: ", ")) of \(model) are not unique together"
        case .missingReference(let model, let property): "\(model).\(property) refers to nothing"
        case .relatedCount(let model, _, let property, let count, let allowed):
            "\(model).\(property) takes \(allowed), not \(count)"
        case .notFound(let model, _): "no such \(model)"
        case .conflict(let model, _): "conflicting edits of a \(model)"
        case .deleteDenied(let model, let other, let count): "\(count) \(other) refer to the \(model)"
        case .needsConfirmation(let plan): "a delete that takes \(plan.cascadeCount) records along is not confirmed"
        case .alreadySaved(let commit): "saved already, as commit \(commit)"
        case .alreadyDiscarded: "discarded already"
        case .undoRefused(let commit, let obstacles): "commit \(commit) cannot be undone: \(obstacles.count) obstacles"
        case .malformed: "the change set does not fit the schema"
        case .busy: "the store is busy"
        case .outOfSpace: "the disk is full"
        case .damaged: "the store's file is damaged there"
        case .unavailable(let reason): "the store takes no writes: \(reason)"
        case .unanswered: "the store did not answer in time"
        }
    }
}

extension ReadError: RedactedError {
    package var redacted: String { description }
}

extension DataDirectoryError: RedactedError {
    package var redacted: String { description }
}
