import Foundation
import HTTPTypes
import Hummingbird

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A range of IP addresses in CIDR notation: `10.0.0.0/8`, `fd00::/8`, or one address.
struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let network: IPAddress
    /// How many bits all of its addresses share.
    let length: Int

    /// - Throws: ``AddressError``, which says what is wrong.
    init(_ text: String) throws(AddressError) {
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

    func contains(_ address: IPAddress) -> Bool {
        address.bitCount == network.bitCount && address.keeping(bits: length) == network
    }

    /// Whether it is no more than one site has: 65,536 addresses of IPv4, and of IPv6 what a provider gives to a customer.
    var isNarrow: Bool { length >= (network.bitCount == 32 ? 16 : 48) }

    /// Whether it is more than one organization has, and so as good as everybody.
    var isVast: Bool {
        // These are for networks that nobody reaches from outside, as 10.0.0.0/8 is.
        let isUniqueLocal = length >= 8 && network.keeping(bits: 7) == IPAddress("fc00::")
        return length < (network.bitCount == 32 ? 8 : 16) && !isUniqueLocal
    }

    /// Whether the ranges together have more than half of the addresses of IPv4, or of IPv6.
    static func coverMostAddresses(_ ranges: [AddressRange]) -> Bool {
        let ranges = Set(ranges)
        var shares: [Int: Double] = [:]
        for range in ranges {
            let isPart = ranges.contains { $0.length < range.length && $0.contains(range.network) }
            if !isPart { shares[range.network.bitCount, default: 0] += exp2(-Double(range.length)) }
        }
        return shares.values.contains { $0 > 0.5 }
    }

    var description: String {
        length == network.bitCount ? "\(network)" : "\(network)/\(length)"
    }
}

/// An IPv4 or IPv6 address. IPv4 in its IPv6 form (`::ffff:10.0.0.1`) is the IPv4 address.
struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16, most significant first.
    private let bytes: [UInt8]

    init?(_ text: String) {
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

    var bitCount: Int { bytes.count * 8 }

    /// What one customer of a provider has: an IPv4 address, 64 bits of an IPv6 one.
    var network: String { bytes.count == 4 ? "\(self)" : "\(keeping(bits: 64))/64" }

    /// The address with all but its first bits cleared.
    func keeping(bits: Int) -> IPAddress {
        IPAddress(
            bytes: bytes.enumerated().map { index, byte in
                let kept = min(max(bits - index * 8, 0), 8)
                return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
            })
    }

    var description: String {
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
