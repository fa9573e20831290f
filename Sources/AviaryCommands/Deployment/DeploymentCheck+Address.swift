import AviaryAdmin
import AviaryDomain
import AviaryHTTP
import Foundation

extension DeploymentCheck {
    var superuser: [Finding] {
        facts.isSuperuser
            ? [
                .warning(
                    "user", "The command runs as root.",
                    "Serve as a separate user, as deploy/systemd does, to limit the damage of a vulnerability.")
            ]
            : [.ok("user", "The command runs as an unprivileged user.")]
    }

    var address: [Finding] {
        var findings: [Finding] = []
        switch facts.settings.publicURL {
        case .some(let url) where url.isSecure && !url.authority.isLoopback:
            findings.append(.ok("tls", "Browsers connect with TLS to \(url)."))
        case .some(let url):
            findings.append(
                .danger(
                    "tls", "\(url) is not a safe public address.",
                    "Put a proxy with TLS in front, and set its address: --public-url https://zoo.example.org"
                ))
        case nil:
            findings.append(
                .danger(
                    "tls", "TLS is not configured: passwords and cookies would be sent in plain text.",
                    "Put a proxy with TLS in front, and set its address: --public-url https://zoo.example.org"
                ))
        }
        if facts.settings.publicURL == nil, facts.settings.allowedHosts.allSatisfy(\.isLoopback) {
            findings.append(
                .danger(
                    "allowed-host", "No host name is configured.",
                    "Set it with --public-url, and further names with --allowed-host."
                ))
        }
        for host in facts.settings.allowedHosts where host.isLoopback || host.isUnspecified {
            findings.append(
                .warning(
                    "allowed-host", "--allowed-host \(host) is this machine’s own address, or a wildcard.",
                    "Remove it: a page whose name points to this address could read the responses (DNS rebinding)."
                ))
        }
        if !facts.isLoopback {
            findings.append(
                .warning(
                    "host", "It listens on \(facts.host), so others can bypass the proxy.",
                    "Listen on 127.0.0.1 when the proxy runs on the same machine, or only allow the proxy in the firewall."
                ))
        }
        return findings
    }

    var proxies: [Finding] {
        let ranges = facts.settings.trustedProxies
        guard !ranges.isEmpty else {
            let text =
                "No proxy is trusted: all requests seem to come from the proxy’s address. Failed sign-ins then slow down everyone, and events don’t show the client’s address."
            let advice = "Set the proxy’s address, as in --trusted-proxy 127.0.0.1"
            // Browsers that connect with TLS come through a proxy.
            return facts.settings.publicURL?.isSecure == true
                ? [.danger("trusted-proxy", text, advice)] : [.warning("trusted-proxy", text, advice)]
        }
        var findings: [Finding] = ranges.compactMap { range in
            let text =
                "--trusted-proxy \(range) trusts too many addresses: each of them can claim any client address and guess passwords without a limit."
            if range.isVast { return .danger("trusted-proxy", text, "Set the proxy’s own address.") }
            return range.isNarrow ? nil : .warning("trusted-proxy", text, "Set the proxy’s own address.")
        }
        if !ranges.contains(where: \.isVast), AddressRange.coverMostAddresses(ranges) {
            findings.append(
                .danger(
                    "trusted-proxy",
                    "The ranges of --trusted-proxy together contain most addresses: each of them can claim any client address and guess passwords without a limit.",
                    "Set the proxy’s own address."
                ))
        }
        return findings.isEmpty ? [.ok("trusted-proxy", "Only the configured proxies are trusted.")] : findings
    }

    var metrics: [Finding] {
        guard facts.metricsPort != nil, !facts.isLoopback else {
            return [.ok("metrics", "Metrics are not public.")]
        }
        return [
            .danger(
                "metrics", "The metrics port requires no token and would be open on \(facts.host).",
                "Remove --metrics-port and use the public port with a token (AVIARY_METRICS_TOKEN), or listen on loopback."
            )
        ]
    }
}

extension Authority {
    /// Indicates whether the host is the unspecified address, which means any address.
    fileprivate var isUnspecified: Bool { host == "0.0.0.0" || host == "[::]" || host == "[::0]" }
}
