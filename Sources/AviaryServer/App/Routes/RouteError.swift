/// A mistake in the declaration of an application's own routes, found when it starts.
struct RouteError: Error, Sendable, Hashable, CustomStringConvertible {
    let path: String
    let reason: String

    init(path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    var description: String { "The route \(path) \(reason)" }
}
