import Foundation
import HTTPTypes
import Hummingbird

/// Finds out who asks when proxies stand between.
struct ClientAddresses: Sendable {
    let trustedProxies: [AddressRange]

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    /// The peer, or whom it names if it is a trusted proxy. Each proxy appends the address that it sees, so the list is
    /// read from its end, as far as those who wrote it are trusted; what stands before them anybody may have claimed.
    func client(of request: Request, peer: IPAddress?) -> IPAddress? {
        guard var client = peer, isTrusted(client), let name = Self.forwardedFor else { return peer }
        let claims = request.headers[values: name].flatMap { $0.split(separator: ",") }
        for claim in claims.reversed() {
            guard let address = IPAddress(claim.trimmingCharacters(in: .whitespaces)) else { break }
            client = address
            guard isTrusted(address) else { break }
        }
        return client
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }
}
