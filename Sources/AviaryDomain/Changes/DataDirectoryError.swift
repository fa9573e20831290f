/// A data directory that cannot be used, with what to do next.
public struct DataDirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
    public let path: String
    public let reason: String
    public let advice: String

    package init(path: String, reason: String, advice: String) {
        self.path = path
        self.reason = reason
        self.advice = advice
    }

    public var description: String { "\(path): \(reason) \(advice)" }
}
