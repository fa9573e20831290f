#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An address of this machine to listen on.
struct ListeningAddress {
    private enum Kind {
        case v4(in_addr)
        case v6(in6_addr)
    }

    private let kind: Kind

    /// Creates an address, or returns nil for anything but `localhost` and addresses in digits.
    ///
    /// A host name may resolve to several addresses, and to others tomorrow.
    init?(_ host: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &v4) == 1 {
            kind = .v4(v4)
        } else if inet_pton(AF_INET6, host, &v6) == 1 {
            kind = .v6(v6)
        } else {
            return nil
        }
    }

    /// Indicates whether only this machine can reach the address.
    var isLoopback: Bool {
        switch kind {
        case .v4(let address): UInt32(bigEndian: address.s_addr) >> 24 == 127
        case .v6(let address): withUnsafeBytes(of: address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        }
    }

    var family: CInt {
        switch kind {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// Binds the descriptor to the address. Returns the system's result: 0, or -1 with `errno` set.
    func bind(_ descriptor: CInt, port: UInt16) -> CInt {
        switch kind {
        case .v4(let host):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = host
            return withSocketAddress(&address) { bindSocket(descriptor, $0, $1) }
        case .v6(let host):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = host
            return withSocketAddress(&address) { bindSocket(descriptor, $0, $1) }
        }
    }

    private func withSocketAddress<Address>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

private func bindSocket(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
    bind(descriptor, address, length)
}

/// The address that a socket is bound to.
enum SocketAddress {
    /// Returns the local host and port, or nil for anything but a TCP or UDP socket.
    static func local(of descriptor: CInt) -> (host: String, port: Int)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        guard isKnown else { return nil }
        return withUnsafePointer(to: storage) { pointer in
            switch CInt(pointer.pointee.ss_family) {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    var host = address.pointee.sin_addr
                    return text(AF_INET, &host).map { ($0, Int(UInt16(bigEndian: address.pointee.sin_port))) }
                }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    var host = address.pointee.sin6_addr
                    return text(AF_INET6, &host).map { ($0, Int(UInt16(bigEndian: address.pointee.sin6_port))) }
                }
            default: nil
            }
        }
    }

    private static func text(_ family: CInt, _ address: UnsafeRawPointer) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
