/// Names of our cookies. A browser shares cookies between the ports of a host, so on plain-HTTP loopback the port is
/// part of the name.
struct CookieNames: Sendable {
    let session: String
    /// What the name of every draft begins with.
    let draftPrefix: String

    init(port: Int) {
        session = "session-\(port)"
        draftPrefix = "d-\(port)."
    }
}
