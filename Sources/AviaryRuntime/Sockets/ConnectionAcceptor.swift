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

/// Accepts connections on a socket that several processes share, up to a number.
///
/// On a thread of its own, not on an event loop: of the processes that wake for a connection only one gets it, and NIO
/// takes a wake-up without a connection for a defect. Stopping closes nothing, so what has not been accepted waits in
/// the socket for the other processes; so does what arrives while this one is full.
package final class ConnectionAcceptor: Sendable {
    /// Accepted sockets, for whoever serves them to own; ends after ``stop()``.
    package let connections: AsyncStream<CInt>
    private let continuation: AsyncStream<CInt>.Continuation
    private let descriptor: CInt
    private let wake: PipeDescriptors
    private let limit: Int
    private let onFull: @Sendable () -> Void
    private let open = Atomic(0)
    private let isStopped = Atomic(false)

    /// How long a connection waits for another process before this one makes room, and for a place or a descriptor to
    /// become free; in milliseconds.
    private static let patience: CInt = 50

    /// - Parameters:
    ///   - descriptor: a listening socket.
    ///   - limit: how many connections may be open at a time.
    ///   - onFull: asked to close what can be missed: a connection waits and no process takes it.
    /// - Throws: ``SupervisorError``.
    package init(
        _ descriptor: CInt, limit: Int = .max, onFull: @escaping @Sendable () -> Void = {}
    ) throws(SupervisorError) {
        // One of its own: the thread goes on for a moment after whoever gave the socket has closed it, and must not find
        // another one under its number.
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { throw .system(reason: String(cString: strerror(errno))) }
        self.limit = limit
        self.onFull = onFull
        wake = try PipeDescriptors()
        (connections, continuation) = AsyncStream.makeStream()
        // Another process may be quicker between the wake-up and the call; a wake-up is never waited for.
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

    /// Accepts no more. What is open stays open.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        awaken()
    }

    /// Tells that one of the accepted sockets is closed.
    package func connectionEnded() {
        let before = open.wrappingSubtract(1, ordering: .relaxed).oldValue
        if before >= limit { awaken() }
    }

    private func awaken() {
        var byte: UInt8 = 1
        _ = write(wake.write, &byte, 1)
    }

    private func run() {
        defer { continuation.finish() }
        while true {
            // Before each wait: the byte that told of the stop may have been read where room was waited for.
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

    /// 0, or the error.
    private func accept() -> CInt {
        let connection = aviary_accept(descriptor)
        guard connection >= 0 else { return errno }
        open.wrappingAdd(1, ordering: .relaxed)
        continuation.yield(connection)
        return 0
    }

    /// Waits whether another process takes the connection; if none does, asks for room and waits for it.
    private func makeRoom() {
        _ = wait(for: [wake.read], Self.patience)
        guard wait(for: [descriptor], 0).first ?? false else { return }
        onFull()
        _ = wait(for: [wake.read], Self.patience)
    }

    /// A client whose connection is waiting already may have sent its request. If this is the last process there is, nobody
    /// else will answer it.
    private func acceptRest() {
        while open.load(ordering: .relaxed) < limit, accept() == 0 {}
    }

    /// Which of the descriptors have something to read after at most the time, in milliseconds; -1 waits for ever.
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
