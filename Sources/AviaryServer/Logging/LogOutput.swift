import Foundation
import Synchronization

/// Where lines of the log go. Nothing waits for whoever reads them: a reader that stops reading must not stop the server.
final class LogOutput: Sendable {
    static let standardError = LogOutput(STDERR_FILENO)

    private let descriptor: CInt
    private let isSocket: Bool
    private let lost = Atomic(0)

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        // A socket knows its options, and nothing else does.
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        isSocket = getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
    }

    /// How many lines were lost since the last call.
    func takeLost() -> Int {
        lost.load(ordering: .relaxed) == 0 ? 0 : lost.exchange(0, ordering: .relaxed)
    }

    /// One piece, so that lines of several processes never mix. What does not go out at once is lost, and counted.
    ///
    /// - Parameter lines: how many it counts for if it is lost.
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
        // Where it could not be opened anew this is what keeps it from waiting.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) > 0 else {
            errno = EAGAIN
            return -1
        }
        return systemWrite(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Opens a pipe or a terminal anew as one that never waits, for this process and those that it starts: also for what the
    /// runtime says of a trap. The mode of what this process was given stays as it is: it is shared with others.
    static func openStandardErrorAnew() {
        // A reader that went away is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        let flags = fcntl(STDERR_FILENO, F_GETFL)
        // What has a position is a file, where nobody waits for a reader; opened anew it would be written from its beginning.
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
