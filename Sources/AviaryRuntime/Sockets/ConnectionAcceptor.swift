import CSupport
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An acceptor of connections, up to a limit, on a socket that several processes share.
///
/// The acceptor uses a thread of its own and no event loop. Of the processes that wake up for a connection only
/// one gets it, and NIO treats a wake-up without a connection as an error. Stopping closes nothing, so connections
/// that were not accepted wait in the socket for the other processes. So do connections that arrive while this
/// process is full.
package final class ConnectionAcceptor: Sendable {
    /// The accepted sockets. The receiver owns them. The stream ends after ``stop()``.
    package let connections: AsyncStream<CInt>
    private let continuation: AsyncStream<CInt>.Continuation
    private let descriptor: CInt
    private let wake: PipeDescriptors
    private let limit: Int
    private let onFull: @Sendable () -> Void
    private let open = Atomic(0)
    private let isStopped = Atomic(false)

    /// The time in milliseconds that a connection waits for another process before this one makes room.
    ///
    /// It is also the time that the acceptor waits for a connection to close or a descriptor to become free.
    private static let patience: CInt = 50
    /// The number of descriptors that must be free after a connection was accepted.
    ///
    /// Dispatch stops the process when it cannot open the file that describes one of its threads. SQLite opens
    /// files for another reader. The limit of connections leaves room for them, but the system can take descriptors
    /// away while the process runs.
    private static let spareDescriptors = 4

    /// Creates an acceptor.
    ///
    /// - Parameters:
    ///   - descriptor: A listening socket.
    ///   - limit: The largest number of open connections.
    ///   - onFull: A function that closes connections that can be spared. It is called when a connection waits and
    ///     no process takes it.
    /// - Throws: ``SupervisorError``.
    package init(
        _ descriptor: CInt, limit: Int = .max, onFull: @escaping @Sendable () -> Void = {}
    ) throws(SupervisorError) {
        // The acceptor duplicates the descriptor. Its thread runs for a moment after the caller has closed the
        // socket, and must not use another file that got the same number.
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { throw .system(reason: String(cString: strerror(errno))) }
        self.limit = limit
        self.onFull = onFull
        wake = try PipeDescriptors()
        (connections, continuation) = AsyncStream.makeStream()
        // Another process may accept the connection first, so no call may block after a wake-up.
        for end in [self.descriptor, wake.read, wake.write] {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
    }

    deinit {
        close(descriptor)
        close(wake.read)
        close(wake.write)
    }

    package func start() {
        let thread = Thread { self.run() }
        thread.name = "accept"
        thread.stackSize = 128 * 1024
        thread.start()
    }

    /// Stops accepting. Open connections stay open.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        wakeUp()
    }

    /// Reports that one of the accepted sockets is closed.
    package func connectionEnded() {
        let before = open.wrappingSubtract(1, ordering: .relaxed).oldValue
        if before >= limit { wakeUp() }
    }

    private func wakeUp() {
        var byte: UInt8 = 1
        _ = write(wake.write, &byte, 1)
    }

    private func run() {
        defer { continuation.finish() }
        while true {
            // The flag is checked before each wait, because the byte that announced the stop may have been read
            // while waiting for room.
            if isStopped.load(ordering: .acquiring) { return acceptRest() }
            let hasConnection = wait(for: [descriptor, wake.read], -1).first ?? false
            guard hasConnection else { continue }
            guard open.load(ordering: .relaxed) < limit else {
                makeRoom()
                continue
            }
            switch accept() {
            case 0, EAGAIN, EINTR, ECONNABORTED: break
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: makeRoom()
            case EBADF, EINVAL, ENOTSOCK: return
            default: _ = wait(for: [wake.read], Self.patience)
            }
        }
    }

    /// Accepts a connection. Returns 0 or the error number.
    private func accept() -> CInt {
        guard hasSpareDescriptors else { return EMFILE }
        let connection = aviary_accept(descriptor)
        guard connection >= 0 else { return errno }
        open.wrappingAdd(1, ordering: .relaxed)
        continuation.yield(connection)
        return 0
    }

    /// Indicates whether the process can open the connection and the spare descriptors.
    private var hasSpareDescriptors: Bool {
        var opened: [CInt] = []
        defer { for copy in opened { close(copy) } }
        while opened.count <= Self.spareDescriptors {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return false }
            opened.append(copy)
        }
        return true
    }

    /// Waits for another process to take the connection. If none does, asks for room and waits for it.
    private func makeRoom() {
        _ = wait(for: [wake.read], Self.patience)
        guard wait(for: [descriptor], 0).first ?? false else { return }
        onFull()
        _ = wait(for: [wake.read], Self.patience)
    }

    /// Accepts the connections that already wait.
    ///
    /// Their clients may have sent requests, and if this is the last process, nobody else will answer them.
    private func acceptRest() {
        while open.load(ordering: .relaxed) < limit, accept() == 0 {}
    }

    /// Returns which of the descriptors are readable after at most the time, in milliseconds; -1 waits forever.
    private func wait(for descriptors: [CInt], _ milliseconds: CInt) -> [Bool] {
        var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { return descriptors.map { _ in false } }
        if waiting.last?.fd == wake.read, waiting.last?.revents != 0 {
            var bytes: (UInt64, UInt64) = (0, 0)
            _ = withUnsafeMutableBytes(of: &bytes) { Foundation.read(wake.read, $0.baseAddress, $0.count) }
        }
        return waiting.map { $0.revents != 0 }
    }
}
