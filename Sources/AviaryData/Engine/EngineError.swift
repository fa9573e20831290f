import AviaryDomain

/// A failed call of the engine: which, and how. The operation is SQL with placeholders, so values never appear.
package struct EngineError: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Something stored stands against it.
        case constraint
        /// A value is larger than the engine takes, or of another type than its column.
        case unfit
        case outOfSpace
        case outOfMemory
        /// Ended from outside: it took too long, or nobody waits for it any more.
        case interrupted
        /// Somebody else held the store for longer than the connection waits.
        case busy
        /// There is none, or it may not be opened.
        case cannotOpen
        /// The disk reported an error.
        case disk
        /// As ``disk``, of a kind that passes when there is room again.
        case passingDisk
        /// As ``disk``, of a flush: it may be reported once, and then success for what is not on disk.
        case flush
        /// The file is not as the engine writes it.
        case damage
        case other
    }

    package let kind: Kind
    /// The engine's own, such as `SQLite code 13`; nil when the engine was not asked.
    package let code: String?
    /// What the engine says itself.
    package let message: String
    package let operation: String
}

extension EngineError {
    /// After these the file or the disk cannot be relied upon: going on could acknowledge what is not stored. Damage that a statement
    /// meets in other tables concerns that statement alone.
    package var isFatal: Bool { kind == .flush || kind == .damage && concernsOwnTables }

    /// As ``isFatal``, for an error of COMMIT or of a checkpoint, where every error of the disk concerns a flush.
    package var isFatalInFlush: Bool { isFatal || kind == .disk || kind == .damage }

    private var concernsOwnTables: Bool { StoreLayout.ownTables.contains { operation.contains($0) } }
}

extension EngineError: CustomStringConvertible {
    package var description: String { "\(reason) \(place)" }

    /// The description without advice, for one of several places of which the advice is given once.
    package var finding: String { kind == .damage ? "\(Self.damage) \(place)" : description }

    private var place: String { "(\(code.map { "\($0), " } ?? "")in: \(operation))" }

    private static let damage = "the store's file is damaged."

    /// What happened and what to do, for the person who runs the server.
    package var reason: String {
        switch kind {
        case .outOfSpace: "the disk is full. Free some space; nothing has to be restarted."
        case .interrupted: "the work took too long and was interrupted. Ask for less at once."
        case .busy: "another process holds the store's file. Try again in a moment."
        case .outOfMemory: "memory ran out. Try again, or give the process more memory."
        case .disk, .passingDisk, .flush: "the disk reported an error. Check the system's log and the disk."
        case .damage: "\(Self.damage) \(FileCheck.adviceOnDamage)"
        case .constraint, .unfit, .cannotOpen, .other: message + "."
        }
    }
}

extension EngineError: RedactedError {
    package var redacted: String { description }
}

extension StoreError {
    /// What the submitter is told when its change set failed alone.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        // Sending it again would fail again.
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
    /// What every submitter of a batch is told when its COMMIT failed.
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
