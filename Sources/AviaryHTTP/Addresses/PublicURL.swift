/// The address that browsers use to reach the server, also behind a proxy: `https://zoo.example.org`.
///
/// Whether cookies are secure, and which hosts and origins are the server's own, depends on this setting and never
/// on the content of a request.
package struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https

        package var standardPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    package let scheme: Scheme
    package let authority: Authority

    package var isSecure: Bool { scheme == .https }
    package var port: Int { authority.port ?? scheme.standardPort }
    package var description: String { "\(scheme.rawValue)://\(authority)" }

    /// Creates a public URL from its text.
    ///
    /// - Throws: ``AddressError`` with the reason.
    package init(_ text: String) throws(AddressError) {
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

    /// Returns the first component that is not allowed after host and port, or nil.
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

/// The reason why an address in a flag, the environment or a file is invalid.
package struct AddressError: Error, Sendable, Hashable, CustomStringConvertible {
    package let text: String
    package let reason: String

    package init(_ text: String, _ reason: String) {
        self.text = text
        self.reason = reason
    }

    package var description: String { "\"\(text)\" \(reason)" }
}

/// The addresses that browsers use to reach the server, and the proxies that the server trusts.
package struct AddressSettings: Sendable, Hashable {
    package var publicURL: PublicURL?
    /// Additional host names. A name without a port uses the port of the public URL, or else the listening port.
    package var allowedHosts: [Authority] = []
    /// The proxies whose `X-Forwarded-For` header is trusted.
    package var trustedProxies: [AddressRange] = []

    package init(
        publicURL: PublicURL? = nil, allowedHosts: [Authority] = [], trustedProxies: [AddressRange] = []
    ) {
        self.publicURL = publicURL
        self.allowedHosts = allowedHosts
        self.trustedProxies = trustedProxies
    }

    /// Indicates whether browsers connect with TLS.
    package var isSecure: Bool { publicURL?.isSecure ?? false }

    /// The flags that pass the same settings to a child process.
    package var arguments: [String] {
        (publicURL.map { ["--public-url", "\($0)"] } ?? [])
            + allowedHosts.flatMap { ["--allowed-host", "\($0)"] }
            + trustedProxies.flatMap { ["--trusted-proxy", "\($0)"] }
    }
}
