#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A host with or without a port, as it stands in a URL and in a `Host` header.
struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// In lower case; an IPv6 address has its brackets.
    let host: String
    let port: Int?

    init(host: String, port: Int?) {
        self.host = host
        self.port = port
    }

    /// Nil for what is no host: user information, other alphabets than ASCII, an empty or overlong name, a port that is none.
    init?(_ text: some StringProtocol) {
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

    /// Whether only this machine is meant.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && Self.isAddress(host, AF_INET))
    }

    /// Whether it is an address and no name.
    var isAddress: Bool { host.hasPrefix("[") || Self.isAddress(host, AF_INET) }

    var description: String {
        port.map { "\(host):\($0)" } ?? host
    }

    /// The ways in which a browser may write it, when the port is the one given: a scheme's own is left out.
    func spellings(port: Int, standardPort: Int) -> Set<String> {
        port == standardPort ? [host, "\(host):\(port)"] : ["\(host):\(port)"]
    }

    /// A host name of RFC 1123, or an IPv4 address.
    private static func isName(_ name: Substring) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ isLabel($0) }) else { return false }
        // A name that ends in a number is read as an address, also by browsers.
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

/// The names under which this server may be addressed. A page of another name that points here (DNS rebinding) is
/// refused before anything is read.
struct AllowedHosts: Sendable {
    /// As they stand in a `Host` header.
    private let names: Set<String>
    /// The loopback address itself, past a proxy.
    private let direct: Set<String>
    private let scheme: PublicURL.Scheme

    init(host: String, port: Int, settings: AddressSettings = AddressSettings()) {
        var direct: Set<String> = []
        for name in [host.contains(":") ? "[\(host)]" : host, "localhost", "127.0.0.1", "[::1]"] {
            let authority = Authority(host: name.lowercased(), port: nil)
            direct.formUnion(authority.spellings(port: port, standardPort: PublicURL.Scheme.http.standardPort))
        }
        let scheme = settings.publicURL?.scheme ?? .http
        let publicPort = settings.publicURL?.port ?? port
        // A secure site's cookies do not work without TLS: its pages are not served past the proxy.
        var names = scheme == .https ? [] : direct
        for authority in settings.allowedHosts + [settings.publicURL?.authority].compactMap({ $0 }) {
            names.formUnion(authority.spellings(port: authority.port ?? publicPort, standardPort: scheme.standardPort))
        }
        self.direct = direct
        self.names = names
        self.scheme = scheme
    }

    func contains(_ authority: String) -> Bool {
        names.contains(authority.lowercased())
    }

    /// Whether this is the address that is listened on: for whoever watches the process, also where pages are served
    /// under another name only.
    func isDirect(_ authority: String) -> Bool {
        direct.contains(authority.lowercased())
    }

    /// Whether an `Origin` header names one of our own pages.
    func contains(origin: String) -> Bool {
        let prefix = scheme.rawValue + "://"
        return origin.hasPrefix(prefix) && contains(String(origin.dropFirst(prefix.count)))
    }
}
