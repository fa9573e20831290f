import AviaryDomain

/// A failed call of the engine, with the operation and the reason.
///
/// The operation is SQL with placeholders, so values never appear in it.
package struct EngineError: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A violated constraint.
        case constraint
        /// A value that is larger than the engine accepts, or of another type than its column.
        case unfit
        case outOfSpace
        case outOfMemory
        /// An interruption from outside: the work took too long, or nobody waits for it any more.
        case interrupted
        /// A lock that another connection held for longer than this one waits.
        case busy
        /// A store that does not exist or may not be opened.
        case cannotOpen
        /// An error that the disk reported.
        case disk
        /// An error like ``disk`` that disappears when there is room again.
        case transientIO
        /// An error like ``disk``, of a flush.
        ///
        /// The system may report it once, and then report success for data that is not on disk.
        case flush
        /// A connection to a database that was lost. If it was lost in a COMMIT, it is unknown whether that took effect.
        case connectionLost
        /// An insertion that was assumed to succeed and has failed. The whole transaction is undone, and can run again.
        case collision
        /// A file that is not as the engine writes it.
        case damage
        case other
    }

    package let kind: Kind
    /// The engine's own code, such as `SQLite code 13`; nil if the error did not come from the engine.
    package let code: String?
    /// The engine's own message.
    package let message: String
    package let operation: String
}

extension EngineError {
    /// Indicates whether the file or the disk cannot be relied upon any more: the store could acknowledge changes
    /// that are not stored.
    ///
    /// Damage that a statement finds in other tables than the store's own concerns that statement alone.
    package var isFatal: Bool { kind == .flush || kind == .damage && concernsOwnTables }

    /// Indicates whether an error of COMMIT or of a checkpoint is fatal.
    ///
    /// Unlike in ``isFatal``, every disk error counts, because it concerns a flush.
    package var isFatalInFlush: Bool { isFatal || kind == .disk || kind == .damage }

    /// Indicates whether the store ends when a step of a long change fails with the error.
    var endsStore: Bool { isFatalInFlush && kind != .damage }

    private var concernsOwnTables: Bool { StoreLayout.ownTables.contains { operation.contains($0) } }
}

extension EngineError: CustomStringConvertible {
    package var description: String { "\(reason) \(place)" }

    /// The description without advice, for a list of findings whose advice is given once.
    package var finding: String { kind == .damage ? "\(Self.damage) \(place)" : description }

    private var place: String { "(\(code.map { "\($0), " } ?? "")in: \(operation))" }

    private static let damage = "the store's file is damaged."

    /// The problem and the remedy, for the person who runs the server.
    package var reason: String {
        switch kind {
        case .outOfSpace: "the disk is full. Free some space; nothing has to be restarted."
        case .interrupted: "the work took too long and was interrupted. Ask for less at once."
        case .busy: "another process holds the store's file. Try again in a moment."
        case .outOfMemory: "memory ran out. Try again, or give the process more memory."
        case .transientIO: "the disk is full, or it reported an error. Free some space; nothing has to be restarted."
        case .disk, .flush: "the disk reported an error. Check the system's log and the disk."
        case .damage: "\(Self.damage) \(FileCheck.adviceOnDamage)"
        case .connectionLost:
            message + ". Send the changes again: those that were saved are not saved twice."
        case .constraint, .unfit, .cannotOpen, .collision, .other: message + "."
        }
    }
}

extension EngineError: RedactedError {
    package var redacted: String { description }
}

extension StoreError {
    /// Creates the error for a change set that failed alone.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        // A retry would fail again.
        case let error as EngineError where error.kind == .constraint || error.kind == .unfit:
            self = .malformed(error.reason)
        case let error as EngineError where error.kind == .damage: self = .damaged
        case let error as EngineError where error.kind == .outOfSpace: self = .outOfSpace
        case let error as EngineError: self = .unavailable(error.reason)
        default: self = .unavailable(error.redactedText)
        }
    }
}

extension StoreError {
    /// Creates the error for each change set of a batch whose COMMIT failed.
    init(failedCommit error: any Error) {
        guard let error = error as? EngineError else {
            self = .unavailable(error.redactedText)
            return
        }
        self =
            switch error.kind {
            case .outOfSpace: .outOfSpace
            case .damage: .damaged
            default: .unavailable(error.reason)
            }
    }
}
