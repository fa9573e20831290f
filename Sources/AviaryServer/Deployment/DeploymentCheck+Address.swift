import Foundation

extension DeploymentCheck {
    var superuser: [Finding] {
        facts.isSuperuser
            ? [
                .warning(
                    "user", "This runs as root.",
                    "Serve as a user of its own, as deploy/systemd does: a hole would then cost less.")
            ]
            : [.ok("user", "This runs as a user without special rights.")]
    }

    var address: [Finding] {
        var findings: [Finding] = []
        switch facts.settings.publicURL {
        case .some(let url) where url.isSecure && !url.authority.isLoopback:
            findings.append(.ok("tls", "Browsers reach it by TLS, as \(url)."))
        case .some(let url):
            findings.append(
                .danger(
                    "tls", "\(url) is no address by which others reach it safely.",
                    "Put a proxy with TLS in front, and tell its address: --public-url https://zoo.example.org"
                ))
        case nil:
            findings.append(
                .danger(
                    "tls", "No TLS is declared: passwords and cookies would pass in the clear.",
                    "Put a proxy with TLS in front, and tell its address: --public-url https://zoo.example.org"
                ))
        }
        if facts.settings.publicURL == nil, facts.settings.allowedHosts.allSatisfy(\.isLoopback) {
            findings.append(
                .danger(
                    "allowed-host", "No name is told under which others may address it.",
                    "--public-url names it; further ones are given with --allowed-host."
                ))
        }
        for host in facts.settings.allowedHosts where host.isLoopback || host.isUnspecified {
            findings.append(
                .warning(
                    "allowed-host", "--allowed-host \(host) is this machine's own address, or any.",
                    "Leave it out: a page that points its own name there could then read what is answered."
                ))
        }
        if !facts.isLoopback {
            findings.append(
                .warning(
                    "host", "It listens on \(facts.host), so others can reach it past the proxy.",
                    "Listen on 127.0.0.1 where the proxy runs on the same machine, or let a firewall admit the proxy only."
                ))
        }
        return findings
    }

    var proxies: [Finding] {
        let ranges = facts.settings.trustedProxies
        guard !ranges.isEmpty else {
            let text =
                "No proxy is trusted: everybody seems to come from the proxy's address, so whoever guesses passwords there slows down all others, and no event tells from where."
            let advice = "Name the proxy's address, as in --trusted-proxy 127.0.0.1"
            // Browsers that connect with TLS come through a proxy.
            return facts.settings.publicURL?.isSecure == true
                ? [.danger("trusted-proxy", text, advice)] : [.warning("trusted-proxy", text, advice)]
        }
        var findings: [Finding] = ranges.compactMap { range in
            let text =
                "--trusted-proxy \(range) trusts too many: who is within it can claim any address, and so try passwords without end."
            if range.isVast { return .danger("trusted-proxy", text, "Name the proxy's own address.") }
            return range.isNarrow ? nil : .warning("trusted-proxy", text, "Name the proxy's own address.")
        }
        if !ranges.contains(where: \.isVast), AddressRange.coverMostAddresses(ranges) {
            findings.append(
                .danger(
                    "trusted-proxy",
                    "The ranges of --trusted-proxy together hold most addresses: who can claim any address tries passwords without end.",
                    "Name the proxy's own address."
                ))
        }
        return findings.isEmpty ? [.ok("trusted-proxy", "Only the proxies that are named are believed.")] : findings
    }

    var metrics: [Finding] {
        guard facts.metricsPort != nil, !facts.isLoopback else {
            return [.ok("metrics", "Metrics are not open to others.")]
        }
        return [
            .danger(
                "metrics", "The metrics port asks for no token, and would be open on \(facts.host).",
                "Leave out --metrics-port and let the collector ask the public port with a token (AVIARY_METRICS_TOKEN), or listen on loopback."
            )
        ]
    }
}

extension Authority {
    /// Indicates whether the host is the unspecified address, which means any address.
    fileprivate var isUnspecified: Bool { host == "0.0.0.0" || host == "[::]" || host == "[::0]" }
}
