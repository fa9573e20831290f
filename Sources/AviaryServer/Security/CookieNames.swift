/// Names of our cookies. Behind TLS they begin with `__Host-`: then browsers take them from this very host only, sent
/// over TLS. On plain-HTTP loopback that is not possible; there a browser shares cookies between the ports of a host, so
/// the port is part of the name.
struct CookieNames: Sendable {
    let session: String
    /// What the name of every draft begins with.
    let draftPrefix: String
    /// What the name of every choice of columns begins with.
    let columnsPrefix: String
    /// Of the draft of a sheet that was just cancelled.
    let cancelled: String
    let language: String
    let knownBrowser: String
    /// Whether a browser may send them over TLS only.
    let areSecure: Bool

    /// - Parameter port: the one that is listened on.
    init(port: Int, settings: AddressSettings = AddressSettings()) {
        areSecure = settings.isSecure
        if areSecure {
            session = "__Host-session"
            draftPrefix = "__Host-d."
            columnsPrefix = "__Host-c."
            cancelled = "__Host-cancelled"
            language = "__Host-language"
            knownBrowser = "__Host-known"
        } else {
            let port = settings.publicURL?.port ?? port
            session = "session-\(port)"
            draftPrefix = "d-\(port)."
            columnsPrefix = "c-\(port)."
            cancelled = "cancelled-\(port)"
            language = "language-\(port)"
            knownBrowser = "known-\(port)"
        }
    }
}
