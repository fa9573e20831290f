import Foundation

/// An error that can be told in a log: what happened, without a value of any record or form.
package protocol RedactedError: Error {
    var redacted: String { get }
}

extension Error {
    /// The text of the error for a log. For an error without this protocol, it is only its type, because its text may
    /// contain anything.
    package var redactedText: String {
        if let error = self as? any RedactedError { return error.redacted }
        if self is CancellationError { return "cancelled" }
        // The system's own, and for each case of an enumeration a number.
        let error = self as NSError
        return "\(error.domain) \(error.code)"
    }
}
