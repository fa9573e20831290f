import Foundation
import Synchronization

/// The output of the log. Writing never waits for a reader: a reader that stops must not stop the server.
package final class LogOutput: Sendable {
    static let standardError = LogOutput(STDERR_FILENO)

    private let descriptor: CInt
    private let isSocket: Bool
    private let lost = Atomic(0)

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        // Only a socket has a socket type.
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        isSocket = getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
    }

    /// Returns the number of lines that were lost since the last call.
    func takeLost() -> Int {
        lost.load(ordering: .relaxed) == 0 ? 0 : lost.exchange(0, ordering: .relaxed)
    }

    /// Writes the bytes in one piece, so that lines of several processes never mix.
    ///
    /// Bytes that cannot be written at once are lost and counted.
    ///
    /// - Parameter lines: The number of lines that are counted if the bytes are lost.
    @discardableResult
    func write(_ bytes: [UInt8], countingFor lines: Int = 1) -> Bool {
        guard bytes.withUnsafeBytes(writeAll) else {
            lost.add(lines, ordering: .relaxed)
            return false
        }
        return true
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = writeSome(UnsafeRawBufferPointer(rebasing: rest))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isSocket { return send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT)) }
        // If the descriptor could not be reopened, this check keeps the write from blocking.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) > 0 else {
            errno = EAGAIN
            return -1
        }
        return systemWrite(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Reopens a pipe or a terminal as non-blocking, for this process and its children, and so also for the text
    /// that the runtime prints about a trap.
    ///
    /// The mode of the inherited descriptor does not change, because other processes share it.
    package static func reopenStandardErrorNonBlocking() {
        // A reader that disappears must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let flags = fcntl(STDERR_FILENO, F_GETFL)
        // A descriptor with a position is a file, which never blocks. Reopened, it would be written from its
        // beginning.
        guard lseek(STDERR_FILENO, 0, SEEK_CUR) < 0, flags >= 0, flags & O_NONBLOCK == 0 else { return }
        let own = open("/proc/self/fd/\(STDERR_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard own >= 0 else { return }
        dup2(own, STDERR_FILENO)
        close(own)
    }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
