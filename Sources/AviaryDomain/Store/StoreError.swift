public import Foundation

/// An error that the store reports when it does not commit a change set.
///
/// The store committed nothing of the change set. Only two errors leave this open: the store did not answer, or it
/// stopped because a flush failed. In every case you can send the same change set again; the store commits it once.
///
/// Later versions may add codes. Compare ``code`` with the codes that you handle, and use ``description`` for the
/// others:
///
/// ```swift
/// do {
///     try await categories.insert(AnimalCategory(name: "Mammal"))
/// } catch let error as StoreError where error.code == .notUnique {
///     print(error.properties)  // ["name"]
/// }
/// ```
public struct StoreError: Error, Sendable, Hashable {
    /// The error with all of its details, for exhaustive matching within the package.
    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    /// The kind of the error.
    public var code: Code { reason.code }
}

extension StoreError {
    /// A kind of error that the store reports.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `conflict`.
        public let description: String

        fileprivate init(_ name: String) {
            description = name
        }

        /// Indicates that values violate rules of the schema. The problems are in ``StoreError/problems``.
        public static let invalid = Code("invalid")
        /// Indicates that another record has the same value in a unique property.
        public static let notUnique = Code("notUnique")
        /// Indicates that another record has the same values in all properties of a uniqueness constraint.
        public static let notUniqueTogether = Code("notUniqueTogether")
        /// Indicates that a reference points to a record that does not exist, or no longer exists.
        public static let missingReference = Code("missingReference")
        /// Indicates that a record would have a number of related records, ``StoreError/count``, that its to-many
        /// property does not allow.
        public static let relatedCount = Code("relatedCount")
        /// Indicates that the record to change does not exist, or no longer exists.
        public static let notFound = Code("notFound")
        /// Indicates that the record was changed after the editor read it. ``StoreError/currentRecord`` is the record
        /// as it is stored now.
        public static let conflict = Code("conflict")
        /// Indicates that a delete rule forbids the delete while other records, ``StoreError/count`` of them, refer to
        /// the record.
        public static let deleteDenied = Code("deleteDenied")
        /// Indicates that the delete rules would delete more records than ``ChangeSet/cascadeLimit`` allows.
        /// ``StoreError/deletePlan`` counts them.
        public static let needsConfirmation = Code("needsConfirmation")
        /// Indicates that a change set with this id and other content was committed before.
        public static let alreadySaved = Code("alreadySaved")
        /// Indicates that a draft with this id was discarded.
        public static let alreadyDiscarded = Code("alreadyDiscarded")
        /// Indicates that the commit cannot be undone. ``StoreError/obstacles`` says why.
        public static let undoRefused = Code("undoRefused")
        /// Indicates that the change set names something that the schema does not have.
        public static let malformed = Code("malformed")
        /// Indicates that the store's queue is full. Send the same change set again after
        /// ``StoreError/retryAfter``.
        public static let busy = Code("busy")
        /// Indicates that the disk is full. Reads still work. Send the same change set again when there is space.
        public static let outOfSpace = Code("outOfSpace")
        /// Indicates that the store's file is damaged where the change would be stored. Nothing was stored. Changes of
        /// other parts are possible.
        public static let damaged = Code("damaged")
        /// Indicates that the store does not accept writes at present. Send the same change set again later.
        public static let unavailable = Code("unavailable")
        /// Indicates that the store did not answer in time, so it is unknown whether it committed the change set.
        ///
        /// Send the same change set again; the store commits it once.
        public static let unanswered = Code("unanswered")
        /// Indicates that somebody stopped the large delete or undo before it was committed. Nothing of it was stored.
        public static let stopped = Code("stopped")
    }

    /// A code with the details of the error. Processes of two versions exchange it, so its cases and labels are part
    /// of the store's protocol.
    package enum Reason: Sendable, Hashable, Codable {
        case invalid(model: String, [FieldProblem])
        case notUnique(model: String, property: String)
        case notUniqueTogether(model: String, properties: [String])
        case missingReference(model: String, property: String)
        case relatedCount(model: String, id: UUID, property: String, count: Int, allowed: ModelCount)
        case notFound(model: String, id: UUID)
        case conflict(model: String, current: Record)
        case deleteDenied(model: String, referencedBy: String, count: Int)
        case needsConfirmation(DeletePlan)
        case alreadySaved(commit: Int64)
        case alreadyDiscarded
        /// A refused undo, with the first hundred obstacles.
        case undoRefused(commit: Int64, [UndoObstacle])
        case malformed(String)
        /// A full queue. `retryAfter` is in seconds.
        case busy(retryAfter: Int)
        /// A change set whose hooks have read records of models that changed meanwhile. The hooks run again.
        case overtaken
        case outOfSpace
        case damaged
        case unavailable(String)
        case unanswered
        case stopped

        fileprivate var code: Code {
            switch self {
            case .invalid: .invalid
            case .notUnique: .notUnique
            case .notUniqueTogether: .notUniqueTogether
            case .missingReference: .missingReference
            case .relatedCount: .relatedCount
            case .notFound: .notFound
            case .conflict: .conflict
            case .deleteDenied: .deleteDenied
            case .needsConfirmation: .needsConfirmation
            case .alreadySaved: .alreadySaved
            case .alreadyDiscarded: .alreadyDiscarded
            case .undoRefused: .undoRefused
            case .malformed: .malformed
            case .busy, .overtaken: .busy
            case .outOfSpace: .outOfSpace
            case .damaged: .damaged
            case .unavailable: .unavailable
            case .unanswered: .unanswered
            case .stopped: .stopped
            }
        }
    }
}

// Details of the error for users. Each is nil or empty when the code does not have it.
extension StoreError {
    /// The name of the model that the error concerns; nil when the error does not concern a single model.
    public var model: String? {
        switch reason {
        case .invalid(let model, _), .notUnique(let model, _), .notUniqueTogether(let model, _),
            .missingReference(let model, _), .relatedCount(let model, _, _, _, _), .notFound(let model, _),
            .conflict(let model, _), .deleteDenied(let model, _, _):
            model
        default: nil
        }
    }

    /// The names of the properties that the error concerns; empty when the error does not concern properties.
    ///
    /// For ``Code/invalid`` these are the properties of ``problems``, without the problems of the whole record.
    public var properties: [String] {
        switch reason {
        case .invalid(_, let problems): problems.map(\.property).filter { !$0.isEmpty }
        case .notUnique(_, let property), .missingReference(_, let property), .relatedCount(_, _, let property, _, _):
            [property]
        case .notUniqueTogether(_, let properties): properties
        default: []
        }
    }

    /// The problems of ``Code/invalid``; otherwise empty.
    public var problems: [FieldProblem] {
        if case .invalid(_, let problems) = reason { problems } else { [] }
    }

    /// The id of the record of ``Code/relatedCount``, ``Code/notFound`` or ``Code/conflict``; otherwise nil.
    public var recordID: UUID? {
        switch reason {
        case .relatedCount(_, let id, _, _, _), .notFound(_, let id): id
        case .conflict(_, let current): current.id
        default: nil
        }
    }

    /// The record of ``Code/conflict`` as it is stored now; otherwise nil.
    public var currentRecord: Record? {
        if case .conflict(_, let current) = reason { current } else { nil }
    }

    /// The number of related records that there would be, for ``Code/relatedCount``, or of the records that refer to
    /// the deleted one, for ``Code/deleteDenied``; otherwise nil.
    public var count: Int? {
        switch reason {
        case .relatedCount(_, _, _, let count, _), .deleteDenied(_, _, let count): count
        default: nil
        }
    }

    /// The numbers of related records that the property of ``Code/relatedCount`` allows; otherwise nil.
    public var allowedCount: ModelCount? {
        if case .relatedCount(_, _, _, _, let allowed) = reason { allowed } else { nil }
    }

    /// The name of the model whose records refer to the deleted one, for ``Code/deleteDenied``; otherwise nil.
    public var referencingModel: String? {
        if case .deleteDenied(_, let other, _) = reason { other } else { nil }
    }

    /// The records that the delete of ``Code/needsConfirmation`` would affect; otherwise nil.
    public var deletePlan: DeletePlan? {
        if case .needsConfirmation(let plan) = reason { plan } else { nil }
    }

    /// The number of the earlier commit of ``Code/alreadySaved``, or of the commit to undo of ``Code/undoRefused``;
    /// otherwise nil.
    public var commit: Int64? {
        switch reason {
        case .alreadySaved(let commit), .undoRefused(let commit, _): commit
        default: nil
        }
    }

    /// The first hundred obstacles of ``Code/undoRefused``; otherwise empty.
    public var obstacles: [UndoObstacle] {
        if case .undoRefused(_, let obstacles) = reason { obstacles } else { [] }
    }

    /// The time after which to send the change set of ``Code/busy`` again; otherwise nil.
    public var retryAfter: Duration? {
        switch reason {
        case .busy(let seconds): .seconds(seconds)
        case .overtaken: .zero
        default: nil
        }
    }
}

extension StoreError {
    package static let alreadyDiscarded = StoreError(.alreadyDiscarded)
    package static let overtaken = StoreError(.overtaken)
    package static let outOfSpace = StoreError(.outOfSpace)
    package static let damaged = StoreError(.damaged)
    package static let unanswered = StoreError(.unanswered)
    package static let stopped = StoreError(.stopped)

    package static func invalid(model: String, _ problems: [FieldProblem]) -> Self {
        Self(.invalid(model: model, problems))
    }
    package static func notUnique(model: String, property: String) -> Self {
        Self(.notUnique(model: model, property: property))
    }
    package static func notUniqueTogether(model: String, properties: [String]) -> Self {
        Self(.notUniqueTogether(model: model, properties: properties))
    }
    package static func missingReference(model: String, property: String) -> Self {
        Self(.missingReference(model: model, property: property))
    }
    package static func relatedCount(
        model: String, id: UUID, property: String, count: Int, allowed: ModelCount
    ) -> Self {
        Self(.relatedCount(model: model, id: id, property: property, count: count, allowed: allowed))
    }
    package static func notFound(model: String, id: UUID) -> Self { Self(.notFound(model: model, id: id)) }
    package static func conflict(model: String, current: Record) -> Self {
        Self(.conflict(model: model, current: current))
    }
    package static func deleteDenied(model: String, referencedBy other: String, count: Int) -> Self {
        Self(.deleteDenied(model: model, referencedBy: other, count: count))
    }
    package static func needsConfirmation(_ plan: DeletePlan) -> Self { Self(.needsConfirmation(plan)) }
    package static func alreadySaved(commit: Int64) -> Self { Self(.alreadySaved(commit: commit)) }
    package static func undoRefused(commit: Int64, _ obstacles: [UndoObstacle]) -> Self {
        Self(.undoRefused(commit: commit, obstacles))
    }
    package static func malformed(_ reason: String) -> Self { Self(.malformed(reason)) }
    package static func busy(retryAfter seconds: Int) -> Self { Self(.busy(retryAfter: seconds)) }
    package static func unavailable(_ reason: String) -> Self { Self(.unavailable(reason)) }
}

// The JSON of an error is that of its reason.
extension StoreError: Codable {
    public init(from decoder: any Decoder) throws {
        reason = try Reason(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try reason.encode(to: encoder)
    }
}

extension StoreError: CustomStringConvertible {
    /// A sentence that describes the error.
    public var description: String {
        switch reason {
        case .invalid(let model, let problems):
            "\(model): " + problems.map { "\($0.property): \($0.message)" }.joined(separator: " ")
        case .notUnique(let model, let property): "Another \(model) already has this \(property)."
        case .notUniqueTogether(let model, let properties):
            "Another \(model) already has the same \(TextFormatter.list(properties))."
        case .missingReference(let model, let property): "\(model).\(property) points to a record that does not exist."
        case .relatedCount(let model, _, let property, let count, let allowed):
            "\(model).\(property) takes \(allowed.bound(brokenBy: count)), and there would be \(count)."
        case .notFound(let model, _): "This \(model) no longer exists."
        case .conflict(let model, _): "This \(model) was changed by someone else in the meantime."
        case .deleteDenied(let model, let other, let count):
            count == 1
                ? "1 \(ModelNames.words(of: other)) still refers to this \(ModelNames.words(of: model)). Delete it or let it refer to something else first."
                : "\(TextFormatter.grouped(count)) \(TextFormatter.plural(ModelNames.words(of: other))) still refer to this \(ModelNames.words(of: model)). Delete them or let them refer to something else first."
        case .needsConfirmation(let plan):
            "The delete takes \(plan.cascadeCount) other records along. Confirm it first."
        case .alreadySaved: "This was already saved with other values."
        case .alreadyDiscarded: "This draft was discarded."
        case .undoRefused(let commit, let obstacles):
            "Commit \(commit) cannot be undone. " + obstacles.prefix(3).map(\.description).joined(separator: " ")
        case .busy(let seconds): "The store is busy. Try again in \(seconds) s."
        case .overtaken: "Others have changed records on which this relies. Try again."
        case .outOfSpace: "The disk is full. Free some space; nothing has to be restarted."
        case .damaged:
            "The store's file is damaged where this would be stored. Tell the administrator. Everything else can be saved."
        case .malformed(let reason): "The change set does not fit the schema: \(reason)"
        case .unavailable(let reason): "The store takes no writes now: \(reason)"
        case .unanswered: "The store did not respond in time, so it is unknown whether this was stored."
        case .stopped: "The change was stopped. Nothing of it was stored."
        }
    }
}

extension StoreError: RedactedError {
    /// The text for a log. It consists of names of the schema and numbers, and contains nothing that a person typed.
    package var redacted: String {
        switch reason {
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
        case .overtaken: "records that a hook had read were changed meanwhile"
        case .outOfSpace: "the disk is full"
        case .damaged: "the store's file is damaged there"
        case .unavailable(let reason): "the store takes no writes: \(reason)"
        case .unanswered: "the store did not answer in time"
        case .stopped: "stopped"
        }
    }
}
