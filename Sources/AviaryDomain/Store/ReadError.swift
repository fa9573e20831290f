import Foundation

/// An error for a read that returned no result. Reads change nothing, so you can repeat each of them.
///
/// Later versions may add codes. Compare ``code`` with the codes that you handle, and use ``description`` for the
/// others.
public struct ReadError: Error, Sendable, Hashable {
    /// The error with its details, for exhaustive matching within the package.
    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    /// The kind of the error.
    public var code: Code {
        switch reason {
        case .tookTooLong: .tookTooLong
        case .cancelled: .cancelled
        case .queueFull: .queueFull
        case .heldLog: .heldLog
        case .storeBusy: .storeBusy
        }
    }

    /// The time limit of ``Code/tookTooLong`` or ``Code/queueFull``; otherwise nil.
    public var limit: Duration? {
        switch reason {
        case .tookTooLong(let limit), .queueFull(let limit): limit
        case .cancelled, .heldLog, .storeBusy: nil
        }
    }
}

extension ReadError {
    /// A kind of error of a read.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `tookTooLong`.
        public let description: String

        fileprivate init(_ name: String) {
            description = name
        }

        /// Indicates that the read ran for longer than the limit for reads of its kind, ``ReadError/limit``, and was
        /// interrupted.
        public static let tookTooLong = Code("tookTooLong")
        /// Indicates that the task of the read was cancelled, for example because a client disconnected.
        public static let cancelled = Code("cancelled")
        /// Indicates that the read did not start, because the greatest number of long reads of the process was
        /// running for the whole time limit, ``ReadError/limit``.
        public static let queueFull = Code("queueFull")
        /// Indicates that the read prevented a checkpoint of the write-ahead log and the log became too large, or that
        /// the log was already too large before the read began.
        public static let heldLog = Code("heldLog")
        /// Indicates that another process had a lock on the store's file for the whole time limit.
        public static let storeBusy = Code("storeBusy")
    }

    package enum Reason: Sendable, Hashable {
        case tookTooLong(limit: Duration)
        case cancelled
        case queueFull(limit: Duration)
        case heldLog
        case storeBusy
    }

    package static let cancelled = ReadError(.cancelled)
    package static let heldLog = ReadError(.heldLog)
    package static let storeBusy = ReadError(.storeBusy)

    package static func tookTooLong(limit: Duration) -> Self { Self(.tookTooLong(limit: limit)) }
    package static func queueFull(limit: Duration) -> Self { Self(.queueFull(limit: limit)) }
}

extension ReadError: CustomStringConvertible {
    /// A sentence that describes the error and what to do about it.
    public var description: String {
        switch reason {
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

extension ReadError: RedactedError {
    package var redacted: String { description }
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

extension DataDirectoryError: RedactedError {
    package var redacted: String { description }
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
