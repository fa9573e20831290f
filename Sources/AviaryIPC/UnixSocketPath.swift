#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A Unix socket's address. The system allows 107 bytes; a longer path is addressed through its open directory.
package final class UnixSocketPath: Sendable {
    /// The address to bind or connect to. It is valid while this object lives.
    package let address: String
    private let directory: CInt

    private static let longest = 103

    /// Creates an address, or returns nil when the directory cannot be opened.
    package init?(_ path: String) {
        guard path.utf8.count > Self.longest else {
            address = path
            directory = -1
            return
        }
        guard let separator = path.lastIndex(of: "/") else { return nil }
        directory = open(String(path[..<separator]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return nil }
        address = "/proc/self/fd/\(directory)\(path[separator...])"
    }

    deinit {
        if directory >= 0 { close(directory) }
    }
}
