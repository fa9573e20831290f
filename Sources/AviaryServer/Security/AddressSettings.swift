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
