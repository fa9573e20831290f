import Foundation

/// Where the load goes.
package enum LoadTarget: Sendable {
    /// A server that runs already, by its origin: `http://127.0.0.1:8080`.
    ///
    /// - Parameter credentials: nil for one that lets everybody in.
    case running(origin: String, credentials: Credentials?)
    /// A server of our own, started for this run and removed after it.
    case selfHosted(ServerLaunch)

    /// Reads the address of a running server. Load is kept on this machine unless another is allowed by name.
    package static func running(
        _ text: String, credentials: Credentials? = nil, allowsOtherHosts: Bool
    ) throws(LoadPlanError) -> LoadTarget {
        guard let address = URLComponents(string: text), let host = address.host, !host.isEmpty,
            address.scheme == "http" || address.scheme == "https", address.user == nil
        else { throw LoadPlanError("--url must be an address such as http://127.0.0.1:8080.") }
        guard address.scheme == "http" else {
            throw LoadPlanError(
                "The load harness has no TLS. Give the address that the proxy forwards to, such as http://127.0.0.1:8080."
            )
        }
        guard allowsOtherHosts || isLoopback(host) else {
            throw LoadPlanError(
                "\(host) is not this machine. To load another host, which must be yours, add --yes-load-another-host.")
        }
        var origin = URLComponents()
        origin.scheme = address.scheme
        origin.host = host
        origin.port = address.port
        guard let text = origin.string else {
            throw LoadPlanError("--url must be an address such as http://127.0.0.1:8080.")
        }
        return .running(origin: text, credentials: credentials)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
