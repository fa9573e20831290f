import Foundation

/// An error that can be told in a log: what happened, without a value of any record or form.
package protocol RedactedError: Error {
    var redacted: String { get }
}

extension Error {
    /// What a log may say of any error: of one that makes no promise only which it is, because its text may hold anything.
    package var redactedText: String {
        if let error = self as? any RedactedError { return error.redacted }
        if self is CancellationError { return "cancelled" }
        // The system's own, and for each case of an enumeration a number.
        let error = self as NSError
        return "\(error.domain) \(error.code)"
    }
}
