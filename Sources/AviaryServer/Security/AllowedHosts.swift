/// The names under which this server may be addressed. A page of another name that points here (DNS rebinding) is
/// refused before anything is read.
struct AllowedHosts: Sendable {
    private let names: Set<String>

    init(host: String, port: Int) {
        var names: Set<String> = []
        for name in [host.contains(":") ? "[\(host)]" : host, "localhost", "127.0.0.1", "[::1]"] {
            names.insert("\(name.lowercased()):\(port)")
            if port == 80 { names.insert(name.lowercased()) }
        }
        self.names = names
    }

    func contains(_ authority: String) -> Bool {
        names.contains(authority.lowercased())
    }

    /// Whether an `Origin` header names one of our own pages.
    func contains(origin: String) -> Bool {
        origin.hasPrefix("http://") && contains(String(origin.dropFirst("http://".count)))
    }
}
