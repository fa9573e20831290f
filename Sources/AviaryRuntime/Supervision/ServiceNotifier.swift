package import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A notifier that reports the server's state to a service manager, as `sd_notify` does: with one datagram to the
/// socket that the manager named.
package struct ServiceNotifier: Sendable {
    package enum State: Sendable, Hashable {
        case ready, reloading, stopping
    }

    package static let variable = "NOTIFY_SOCKET"

    private let address: String?

    /// Creates a notifier.
    ///
    /// - Parameter address: A path, or a name after `@`. With nil, the notifier sends nothing.
    package init(address: String?) {
        self.address = address.flatMap { $0.isEmpty ? nil : $0 }
    }

    package func notify(_ state: State, _ logger: Logger) {
        guard let address else { return }
        guard send(state.message, to: address) else {
            let reason = String(cString: strerror(errno))
            logger.warning(
                "the service manager could not be told", metadata: ["state": "\(state)", "reason": "\(reason)"])
            return
        }
    }

    /// Sends the message without blocking.
    private func send(_ message: String, to address: String) -> Bool {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: name.sun_path)
        else {
            errno = EAFNOSUPPORT
            return false
        }
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract name ends with its last byte; a terminating zero would be part of it.
        let length =
            socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2)
            + socklen_t(bytes.count + (isAbstract ? 0 : 1))
        let descriptor = socket(AF_UNIX, datagramType, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let text = Array(message.utf8)
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                sendto(descriptor, text, text.count, noWait, target, length) == text.count
            }
        }
    }
}

extension ServiceNotifier.State {
    fileprivate var message: String {
        switch self {
        case .ready: "READY=1"
        case .stopping: "STOPPING=1"
        case .reloading:
            // The time lets the manager match this message with its own request.
            "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds)"
        }
    }

    private static var monotonicMicroseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

#if os(Linux)
    private let datagramType = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    private let noWait = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
#else
    private let datagramType = SOCK_DGRAM
    private let noWait = CInt(MSG_DONTWAIT)
#endif
