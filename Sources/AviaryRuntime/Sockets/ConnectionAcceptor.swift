import CSupport
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Accepts connections on a socket that several processes share.
///
/// On a thread of its own, not on an event loop: of the processes that wake for a connection only one gets it, and NIO
/// takes a wake-up without a connection for a defect. Stopping closes nothing, so what has not been accepted waits in
/// the socket for the other processes.
package final class ConnectionAcceptor: Sendable {
    /// Accepted sockets, for whoever serves them to own; ends after ``stop()``.
    package let connections: AsyncStream<CInt>
    private let continuation: AsyncStream<CInt>.Continuation
    private let descriptor: CInt
    private let wake: PipeDescriptors

    /// Waiting before the next try when the process has no descriptor left, in microseconds.
    private static let pauseWithoutDescriptors: useconds_t = 20_000

    /// - Parameter descriptor: a listening socket.
    /// - Throws: ``SupervisorError``.
    package init(_ descriptor: CInt) throws(SupervisorError) {
        self.descriptor = descriptor
        wake = try PipeDescriptors()
        (connections, continuation) = AsyncStream.makeStream()
        // Another process may be quicker between the wake-up and the call.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    package func start() {
        let thread = Thread { self.run() }
        thread.name = "accept"
        thread.stackSize = 128 * 1024
        thread.start()
    }

    /// Accepts no more. What is open stays open.
    package func stop() {
        var byte: UInt8 = 1
        _ = write(wake.write, &byte, 1)
    }

    private func run() {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 || errno == EINTR else { break }
            if waiting[1].revents != 0 { break }
            let connection = aviary_accept(descriptor)
            if connection >= 0 {
                continuation.yield(connection)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                usleep(Self.pauseWithoutDescriptors)
            } else if errno == EBADF || errno == EINVAL || errno == ENOTSOCK {
                break
            }
        }
        continuation.finish()
    }
}
