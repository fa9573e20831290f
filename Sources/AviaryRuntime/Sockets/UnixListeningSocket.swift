#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A Unix socket that is bound and listening. Only its own user can connect to it.
package struct UnixListeningSocket: Sendable {
    package let descriptor: CInt

    /// Opens a socket, and replaces a socket file that an earlier process left at the address.
    ///
    /// The caller holds the lock that keeps other servers away. The lock does not help when somebody has removed
    /// the lock's file, so this initializer does not replace a socket on which another process still answers.
    ///
    /// - Parameter address: A path of at most 107 bytes.
    package init(address: String) throws(ListeningSocketError) {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(address.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
            throw .system(reason: "the path of the store's socket is too long")
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = makeSocket()
        guard descriptor >= 0 else { throw .system(reason: String(cString: strerror(errno))) }
        if isAnswered(at: name) {
            close(descriptor)
            throw .storeInUse
        }
        unlink(address)
        // The socket file must have its mode from the first moment.
        let mask = umask(0o177)
        let bound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        umask(mask)
        guard bound == 0, listen(descriptor, 128) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw .system(reason: "the store's socket cannot be bound: \(reason)")
        }
        self.descriptor = descriptor
    }
}

private func isAnswered(at name: sockaddr_un) -> Bool {
    let descriptor = makeSocket()
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafePointer(to: name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}

private func makeSocket() -> CInt {
    #if os(Linux)
        socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    #else
        socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
}
