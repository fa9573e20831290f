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
