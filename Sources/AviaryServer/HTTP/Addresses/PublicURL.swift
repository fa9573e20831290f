/// The address under which browsers reach the server when a proxy stands in front: `https://zoo.example.org`.
///
/// Whether cookies are secure, and which hosts and origins are ours, follows from it and never from what a request says.
struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    enum Scheme: String, Sendable {
        case http, https

        var standardPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    let scheme: Scheme
    let authority: Authority

    var isSecure: Bool { scheme == .https }
    var port: Int { authority.port ?? scheme.standardPort }
    var description: String { "\(scheme.rawValue)://\(authority)" }

    /// - Throws: ``AddressError``, which says what is wrong.
    init(_ text: String) throws(AddressError) {
        guard let colon = text.firstRange(of: "://") else {
            throw AddressError(text, "is no URL. Write it like https://zoo.example.org")
        }
        guard let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased()) else {
            throw AddressError(text, "begins with another scheme. Write it like https://zoo.example.org")
        }
        var rest = text[colon.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if let what = Self.excess(in: rest) {
            throw AddressError(
                text, "has \(what). Give only scheme, host and port: the admin is served at the root of its host.")
        }
        guard let authority = Authority(rest) else {
            throw AddressError(
                text, "names no host, or a port that is none. A name beyond ASCII is written as its xn-- form.")
        }
        guard scheme == .https || authority.isLoopback else {
            throw AddressError(
                text,
                "begins with http. Others could read and change what is sent: use https. Plain http is for this machine's own addresses."
            )
        }
        self.scheme = scheme
        self.authority = Authority(
            host: authority.host, port: authority.port == scheme.standardPort ? nil : authority.port)
    }

    /// What stands there beside host and port.
    private static func excess(in rest: Substring) -> String? {
        switch rest.first(where: { "/\\?#@".contains($0) }) {
        case "/", "\\": "a path"
        case "?": "a query"
        case "#": "a fragment"
        case "@": "user information"
        default: nil
        }
    }
}

/// What is wrong with an address that a flag, the environment or a file gives.
struct AddressError: Error, Sendable, Hashable, CustomStringConvertible {
    let text: String
    let reason: String

    init(_ text: String, _ reason: String) {
        self.text = text
        self.reason = reason
    }

    var description: String { "\"\(text)\" \(reason)" }
}

/// Under which addresses browsers reach the server, and which proxies it believes.
struct AddressSettings: Sendable, Hashable {
    var publicURL: PublicURL?
    /// Further names. Without a port: that of the public URL, else the one that is listened on.
    var allowedHosts: [Authority] = []
    /// Whose `X-Forwarded-For` counts.
    var trustedProxies: [AddressRange] = []

    /// Whether browsers see TLS.
    var isSecure: Bool { publicURL?.isSecure ?? false }

    /// The flags that give a child process the same settings.
    var arguments: [String] {
        (publicURL.map { ["--public-url", "\($0)"] } ?? [])
            + allowedHosts.flatMap { ["--allowed-host", "\($0)"] }
            + trustedProxies.flatMap { ["--trusted-proxy", "\($0)"] }
    }
}
