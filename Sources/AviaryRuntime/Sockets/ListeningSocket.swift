import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TCP socket that is bound and listening. The code that serves it takes ownership of its descriptor.
package struct ListeningSocket: Sendable {
    package let descriptor: CInt
    /// The address by which clients reach it.
    package let host: String
    /// The port that the socket is bound to. A request for port 0 gets a free one.
    package let port: Int

    private static let backlog: CInt = 1024

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - host: An IPv4 or IPv6 address in digits, or `localhost`.
    ///   - flag: The command-line flag that sets the port, for error messages.
    /// - Throws: ``ListeningSocketError``.
    package init(host: String, port: Int, flag: String = "--port") throws(ListeningSocketError) {
        guard (0...65_535).contains(port) else { throw .invalidPort(port) }
        guard let address = ListeningAddress(host) else { throw .noAddress(host) }
        let descriptor = socket(address.family, streamType | closeOnExec, 0)
        guard descriptor >= 0 else { throw .system(reason: systemReason()) }
        do {
            self.port = try Self.listen(descriptor, on: address, port: UInt16(port), host: host, flag: flag)
            self.descriptor = descriptor
            self.host = host
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Returns whether only this machine can reach the address; nil for a text that is not an address.
    package static func isLoopback(_ host: String) -> Bool? {
        ListeningAddress(host)?.isLoopback
    }

    /// Takes over a socket that a service manager opened.
    ///
    /// - Throws: ``ListeningSocketError``.
    package init(adopting descriptor: CInt) throws(ListeningSocketError) {
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1, Self.option(SO_TYPE, of: descriptor) == streamType,
            let (host, port) = SocketAddress.local(of: descriptor)
        else { throw .passedNoListener(descriptor: descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.host = host
        self.port = port
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func listen(
        _ descriptor: CInt, on address: ListeningAddress, port: UInt16, host: String, flag: String
    ) throws(ListeningSocketError) -> Int {
        var on: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        guard address.bind(descriptor, port: port) == 0 else {
            switch errno {
            case EADDRINUSE: throw .portInUse(host: host, port: Int(port), flag: flag)
            case EACCES: throw .notPermitted(port: Int(port), flag: flag)
            default: throw .system(reason: systemReason())
            }
        }
        // Another process may bind the same port between the two calls; then listening fails.
        guard Self.systemListen(descriptor) == 0 else { throw .portInUse(host: host, port: Int(port), flag: flag) }
        guard let bound = SocketAddress.local(of: descriptor) else { throw .system(reason: systemReason()) }
        return bound.port
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

/// An error for a socket that could not be opened. The description says what to do about it.
package enum ListeningSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    case invalidPort(Int)
    case noAddress(String)
    /// A port that is in use. The flag is the one that sets another port.
    case portInUse(host: String, port: Int, flag: String)
    case notPermitted(port: Int, flag: String)
    case system(reason: String)
    /// A store that another process serves, although that process no longer holds the lock.
    case storeInUse
    /// Malformed variables of a service manager, which describe its sockets.
    case passedSockets(variable: String, expected: String)
    case passedNoListener(descriptor: Int32)

    package var description: String {
        switch self {
        case .invalidPort(let port):
            "\(port) is not a port. Choose one from 0 to 65535; 0 takes a free one."
        case .noAddress(let host):
            "\"\(host)\" is no address to listen on. Give one in digits, such as 127.0.0.1 or ::1, or localhost."
        case .portInUse(let host, let port, let flag):
            "Port \(port) on \(host) is in use. Choose another one with \(flag), or stop the program that has it."
        case .notPermitted(let port, let flag):
            "This user may not listen on port \(port). Choose one above 1023 with \(flag)."
        case .system(let reason):
            "The socket could not be opened: \(reason)."
        case .storeInUse:
            "Another server serves this data directory; its store.lock was taken away. Stop that server first."
        case .passedSockets(let variable, let expected):
            "\(variable) does not hold \(expected). Let the service manager set it, or unset it to have a socket opened."
        case .passedNoListener(let descriptor):
            "Descriptor \(descriptor), which the service manager passes, is no TCP socket that listens. Use ListenStream= with an address and a port."
        }
    }
}

/// The listening sockets that a service manager opened and passes on, as systemd does.
package struct PassedSockets: Sendable, Hashable {
    /// The variables that describe the sockets.
    ///
    /// They are removed for children because they are true of one process only.
    package static let variables: Set<String> = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]
    private static let firstDescriptor: CInt = 3
    private static let most = 64
    private static let (webName, metricsName) = ("web", "metrics")

    /// The socket to serve the admin on: the one that is named `web`, else the first that is not named `metrics`.
    package var web: CInt?
    package var metrics: CInt?
    /// The names of the sockets that are not used.
    package var unused: [String] = []

    /// Reads the sockets from the environment.
    ///
    /// - Parameter process: The process whose environment it is. Sockets that are meant for another process are
    ///   ignored.
    /// - Throws: ``ListeningSocketError`` for malformed variables.
    package init(environment: [String: String], process: Int32) throws(ListeningSocketError) {
        guard let count = environment["LISTEN_FDS"] else { return }
        if let text = environment["LISTEN_PID"] {
            guard let meant = Int32(text), meant > 0 else {
                throw .passedSockets(variable: "LISTEN_PID", expected: "a process number")
            }
            guard meant == process else { return }
        } else {
            return
        }
        guard let count = Int(count), (0...Self.most).contains(count) else {
            throw .passedSockets(variable: "LISTEN_FDS", expected: "a number from 0 to \(Self.most)")
        }
        let names =
            environment["LISTEN_FDNAMES"].map {
                $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            }
            ?? Array(repeating: "unknown", count: count)
        guard names.count == count || count == 0 else {
            throw .passedSockets(variable: "LISTEN_FDNAMES", expected: "\(count) names with colons between them")
        }
        let sockets = names.prefix(count).enumerated().map {
            (name: $0.element, descriptor: Self.firstDescriptor + CInt($0.offset))
        }
        let metrics = sockets.first { $0.name == Self.metricsName }
        let web = sockets.first { $0.name == Self.webName } ?? sockets.first { $0.name != Self.metricsName }
        self.web = web?.descriptor
        self.metrics = metrics?.descriptor
        unused = sockets.filter { $0.descriptor != web?.descriptor && $0.descriptor != metrics?.descriptor }.map(\.name)
    }
}

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
        // The socket file must have its mode from the first moment. Linux creates it with that of the descriptor; a change of
        // the umask would also affect the files and directories that other threads create at this moment.
        let isPrivate = fchmod(descriptor, 0o600) == 0
        let bound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isPrivate, bound == 0, listen(descriptor, 128) == 0 else {
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
