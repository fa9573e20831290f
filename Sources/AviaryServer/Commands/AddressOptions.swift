import ArgumentParser
import Foundation

/// The flags that say under which addresses browsers reach the server.
struct AddressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address that browsers use when a proxy with TLS is in front, such as https://zoo.example.org.",
            valueName: "url"
        ))
    var publicURL: String?

    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp("A further host name to answer; can be repeated.", valueName: "name"))
    var allowedHosts: [String] = []

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "Addresses of proxies whose X-Forwarded-For names the client in the log, such as 127.0.0.1 or 10.0.0.0/8; can be repeated.",
            valueName: "cidr"
        ))
    var trustedProxies: [String] = []

    func validate() throws {
        _ = try settings
    }

    /// Flags, else the environment.
    var settings: AddressSettings {
        get throws {
            let url = TextSetting(flag: "--public-url", variable: "AVIARY_PUBLIC_URL").value(publicURL)
            let hosts = TextSetting(flag: "--allowed-host", variable: "AVIARY_ALLOWED_HOST").values(allowedHosts)
            let proxies = TextSetting(flag: "--trusted-proxy", variable: "AVIARY_TRUSTED_PROXY").values(trustedProxies)
            return AddressSettings(
                publicURL: try url.map { try $0.checked { text throws(AddressError) in try PublicURL(text) } },
                allowedHosts: try hosts.map { try $0.checked(Self.host) },
                trustedProxies: try proxies.map {
                    try $0.checked { text throws(AddressError) in try AddressRange(text) }
                }
            )
        }
    }

    private static func host(_ text: String) throws(AddressError) -> Authority {
        guard let authority = Authority(text) else {
            throw AddressError(
                text, "is no host name. Write it like zoo.example.org or zoo.example.org:8443, without a scheme.")
        }
        return authority
    }
}
