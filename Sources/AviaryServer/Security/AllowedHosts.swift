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
