/// Why a socket could not be opened, and what to do about it.
package enum ListeningSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    case invalidPort(Int)
    case noAddress(String)
    /// With the flag by which another port is chosen.
    case portInUse(host: String, port: Int, flag: String)
    case notPermitted(port: Int, flag: String)
    case system(reason: String)
    /// Another process serves the data directory's store, and holds the lock no longer.
    case storeInUse
    /// What a service manager says of its sockets.
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
