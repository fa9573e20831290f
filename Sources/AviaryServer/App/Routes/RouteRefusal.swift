/// Thrown by an own route's handler to answer with a status and a sentence.
///
/// ```swift
/// guard amount > 0 else { throw RouteRefusal(status: 422, "The amount must be positive.") }
/// ```
public struct RouteRefusal: Error, Sendable, Hashable {
    /// 400 to 599.
    public let status: Int
    /// For the person or program that asked.
    public let message: String

    public init(status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
