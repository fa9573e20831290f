/// An error that a route's handler throws to answer with a status and a message.
///
/// ```swift
/// guard amount > 0 else { throw RouteRefusal(status: 422, "The amount must be positive.") }
/// ```
public struct RouteRefusal: Error, Sendable, Hashable {
    /// The HTTP status code, from 400 to 599.
    public let status: Int
    /// The message to the person or program that sent the request.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - status: The HTTP status code, from 400 to 599.
    ///   - message: A sentence, which is sent as plain text.
    public init(status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
