import Foundation
import HTTPTypes
package import Hummingbird

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A range of IP addresses in CIDR notation: `10.0.0.0/8`, `fd00::/8`, or one address.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let network: IPAddress
    /// The number of leading bits that all addresses of the range share.
    package let length: Int

    /// Creates a range from its text.
    ///
    /// - Throws: ``AddressError`` with the reason.
    package init(_ text: String) throws(AddressError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else {
            throw AddressError(text, "is no range of addresses. Write it like 127.0.0.1, 10.0.0.0/8 or fd00::/8.")
        }
        var length = address.bitCount
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let given = Int(parts[1]), given <= address.bitCount
            else { throw AddressError(text, "has a prefix length that is none from 0 to \(address.bitCount).") }
            length = given
        }
        let network = address.keeping(bits: length)
        guard network == address else {
            throw AddressError(text, "is an address within a range. Did you mean \(network)/\(length)?")
        }
        self.network = network
        self.length = length
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.bitCount == network.bitCount && address.keeping(bits: length) == network
    }

    /// Indicates whether the range is no larger than one site: 65,536 IPv4 addresses, or the IPv6 addresses that a
    /// provider assigns to a customer.
    package var isNarrow: Bool { length >= (network.bitCount == 32 ? 16 : 48) }

    /// Indicates whether the range is larger than one organization's, and therefore nearly the same as all
    /// addresses.
    package var isVast: Bool {
        // Unique local addresses are not reachable from outside, like 10.0.0.0/8.
        let isUniqueLocal = length >= 8 && network.keeping(bits: 7) == IPAddress("fc00::")
        return length < (network.bitCount == 32 ? 8 : 16) && !isUniqueLocal
    }

    /// Returns whether the ranges together contain more than half of the IPv4 addresses or of the IPv6 addresses.
    package static func coverMostAddresses(_ ranges: [AddressRange]) -> Bool {
        let ranges = Set(ranges)
        var shares: [Int: Double] = [:]
        for range in ranges {
            let isPart = ranges.contains { $0.length < range.length && $0.contains(range.network) }
            if !isPart { shares[range.network.bitCount, default: 0] += exp2(-Double(range.length)) }
        }
        return shares.values.contains { $0 > 0.5 }
    }

    package var description: String {
        length == network.bitCount ? "\(network)" : "\(network)/\(length)"
    }
}

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) is equal to the IPv4 address.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 4 or 16 bytes, most significant first.
    private let bytes: [UInt8]

    package init?(_ text: String) {
        if let bytes = Self.parse(text, AF_INET, count: 4) {
            self.bytes = bytes
        } else if let bytes = Self.parse(text, AF_INET6, count: 16) {
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
        } else {
            return nil
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var bitCount: Int { bytes.count * 8 }

    /// The network of one customer of a provider: an IPv4 address, or the first 64 bits of an IPv6 address.
    package var network: String { bytes.count == 4 ? "\(self)" : "\(keeping(bits: 64))/64" }

    /// Returns the address with all bits after the first `bits` cleared.
    package func keeping(bits: Int) -> IPAddress {
        IPAddress(
            bytes: bytes.enumerated().map { index, byte in
                let kept = min(max(bits - index * 8, 0), 8)
                return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
            })
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func parse(_ text: String, _ family: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(family, text, &bytes) == 1 else { return nil }
        return Array(bytes.prefix(count))
    }
}

/// The rule that finds a client's address behind proxies.
package struct ClientAddresses: Sendable {
    package let trustedProxies: [AddressRange]

    package init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    /// Returns the peer, or the address that the peer names if the peer is a trusted proxy.
    ///
    /// Each proxy appends the address that it sees. The list is therefore read from its end, as far as trusted
    /// proxies wrote it. A client may have forged all entries before that.
    package func client(of request: Request, peer: IPAddress?) -> IPAddress? {
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
