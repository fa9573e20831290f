#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A host with an optional port, as in a URL and in a `Host` header.
package struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// The host in lower case. An IPv6 address includes its brackets.
    package let host: String
    package let port: Int?

    package init(host: String, port: Int?) {
        self.host = host
        self.port = port
    }

    /// Creates an authority, or returns nil if the text is not a host: user information, non-ASCII characters, an
    /// empty or overlong name, or an invalid port.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[...end]
            rest = text[text.index(after: end)...]
            guard Self.isAddress(String(host.dropFirst().dropLast()), AF_INET6) else { return nil }
        } else {
            host = text.prefix { $0 != ":" }
            rest = text.dropFirst(host.count)
            guard Self.isName(host) else { return nil }
        }
        self.host = String(host)
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", (1...5).contains(digits.utf8.count),
                digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let port = Int(digits), (1...65_535).contains(port)
            else { return nil }
            self.port = port
        }
    }

    /// Indicates whether the host is this machine itself.
    package var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && Self.isAddress(host, AF_INET))
    }

    /// Indicates whether the host is an IP address rather than a name.
    package var isAddress: Bool { host.hasPrefix("[") || Self.isAddress(host, AF_INET) }

    package var description: String {
        port.map { "\(host):\($0)" } ?? host
    }

    /// Returns the spellings that a browser may use if the port is `port`. Browsers omit a scheme's standard port.
    package func spellings(port: Int, standardPort: Int) -> Set<String> {
        port == standardPort ? [host, "\(host):\(port)"] : ["\(host):\(port)"]
    }

    /// Returns whether a text is a host name as RFC 1123 defines it, or an IPv4 address.
    private static func isName(_ name: Substring) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ isLabel($0) }) else { return false }
        // Browsers too read a name whose last label is a number as an IPv4 address.
        if labels.last?.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) == true {
            return isAddress(String(name), AF_INET)
        }
        return true
    }

    private static func isLabel(_ label: Substring) -> Bool {
        guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-" else { return false }
        return label.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
    }

    private static func isAddress(_ text: String, _ family: CInt) -> Bool {
        var bytes = in6_addr()  // large enough for both families
        return inet_pton(family, text, &bytes) == 1
    }
}

/// The names that a client may use to address this server.
///
/// A request for any other name that resolves to this server (DNS rebinding) is rejected before anything is read.
package struct AllowedHosts: Sendable {
    /// The names as they appear in a `Host` header.
    private let names: Set<String>
    /// The names of the listening address itself, without a proxy.
    private let direct: Set<String>
    private let scheme: PublicURL.Scheme

    package init(host: String, port: Int, settings: AddressSettings = AddressSettings()) {
        var direct: Set<String> = []
        for name in [host.contains(":") ? "[\(host)]" : host, "localhost", "127.0.0.1", "[::1]"] {
            let authority = Authority(host: name.lowercased(), port: nil)
            direct.formUnion(authority.spellings(port: port, standardPort: PublicURL.Scheme.http.standardPort))
        }
        let scheme = settings.publicURL?.scheme ?? .http
        let publicPort = settings.publicURL?.port ?? port
        // The cookies of an HTTPS site do not work without TLS, so its pages are not served on the direct address.
        var names = scheme == .https ? [] : direct
        for authority in settings.allowedHosts + [settings.publicURL?.authority].compactMap({ $0 }) {
            names.formUnion(authority.spellings(port: authority.port ?? publicPort, standardPort: scheme.standardPort))
        }
        self.direct = direct
        self.names = names
        self.scheme = scheme
    }

    package func contains(_ authority: String) -> Bool {
        names.contains(authority.lowercased())
    }

    /// Returns whether an authority is the address on which the server listens.
    ///
    /// Monitoring uses this address even where pages are served only under another name.
    package func isDirect(_ authority: String) -> Bool {
        direct.contains(authority.lowercased())
    }

    /// Returns whether an `Origin` header names one of the server's own pages.
    package func contains(origin: String) -> Bool {
        let prefix = scheme.rawValue + "://"
        return origin.hasPrefix(prefix) && contains(String(origin.dropFirst(prefix.count)))
    }
}
