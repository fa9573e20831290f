import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP socket that is bound and listening. Whoever serves it takes over its descriptor.
package struct ListeningSocket: Sendable {
    package let descriptor: CInt
    /// The port that it really has: a request for port 0 gets a free one.
    package let port: Int

    private static let backlog: CInt = 1024

    /// - Parameter host: an IPv4 loopback address, `localhost` or `::1`.
    /// - Throws: ``ListeningSocketError``.
    package init(host: String, port: Int) throws(ListeningSocketError) {
        guard (0...65_535).contains(port) else { throw .invalidPort(port) }
        guard let address = LoopbackAddress(host) else { throw .notLoopback(host) }
        let descriptor = socket(address.family, streamType | closeOnExec, 0)
        guard descriptor >= 0 else { throw .system(reason: systemReason()) }
        do {
            self.port = try Self.listen(descriptor, on: address, port: UInt16(port), host: host)
            self.descriptor = descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func listen(
        _ descriptor: CInt, on address: LoopbackAddress, port: UInt16, host: String
    ) throws(ListeningSocketError) -> Int {
        var on: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        guard address.bind(descriptor, port: port) == 0 else {
            switch errno {
            case EADDRINUSE: throw .portInUse(host: host, port: Int(port))
            case EACCES: throw .notPermitted(port: Int(port))
            default: throw .system(reason: systemReason())
            }
        }
        // Another process may bind the same port between the two calls; then listening fails.
        guard Self.systemListen(descriptor) == 0 else { throw .portInUse(host: host, port: Int(port)) }
        guard let bound = address.boundPort(descriptor) else { throw .system(reason: systemReason()) }
        return bound
    }

    private static func systemListen(_ descriptor: CInt) -> CInt {
        listenOn(descriptor, backlog)
    }
}

private func listenOn(_ descriptor: CInt, _ backlog: CInt) -> CInt {
    listen(descriptor, backlog)
}

private func systemReason() -> String {
    String(cString: strerror(errno))
}

#if os(Linux)
private let streamType = CInt(SOCK_STREAM.rawValue)
private let closeOnExec = CInt(SOCK_CLOEXEC.rawValue)
#else
private let streamType = SOCK_STREAM
private let closeOnExec: CInt = 0
#endif
