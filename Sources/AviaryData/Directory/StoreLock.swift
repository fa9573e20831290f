package import AviaryDomain
import Foundation

/// The exclusive right to write to a data directory.
///
/// One store of one process holds the lock until it is released or the process ends.
///
/// The lock has its own file, because closing any descriptor of the database file drops SQLite's locks. `flock`
/// also rejects a second store in the same process, which `fcntl` would not.
package final class StoreLock: Sendable {
    /// The descriptor of the lock file. A child that inherits it shares the lock, which is released when the last
    /// holder closes it.
    package let descriptor: Int32

    /// Acquires the lock.
    ///
    /// - Throws: ``DataDirectoryError`` that names the process that holds it.
    package init(_ directory: DataDirectory) throws(DataDirectoryError) {
        descriptor = try Self.acquire(directory)
    }

    /// Creates a share of the lock that the parent process acquired.
    package init(inherited descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }

    private static func acquire(_ directory: DataDirectory) throws(DataDirectoryError) -> Int32 {
        let path = directory.lockPath
        // Close-on-exec: a child that outlives this process would keep the lock.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DataDirectoryError(
                path: path, reason: "cannot be opened: \(SystemError.current).",
                advice: "Let it belong to the user that runs this program."
            )
        }
        guard lock(descriptor) else {
            let holder = readHolder(descriptor)
            close(descriptor)
            // The store of the ended process still holds the lock through an inherited descriptor and is closing
            // the file.
            if let holder, holder.hasEnded {
                throw DataDirectoryError(
                    path: directory.path, reason: "is still being closed for \(holder), which has ended.",
                    advice: "Try again in a moment."
                )
            }
            throw DataDirectoryError(
                path: directory.path, reason: "is in use by \(holder?.description ?? "another process").",
                advice: "Stop that process first, or choose another directory with --data."
            )
        }
        fchmod(descriptor, 0o600)
        guard ftruncate(descriptor, 0) == 0, write(LockHolder.current.line, to: descriptor) else {
            let reason = SystemError.current
            close(descriptor)
            throw DataDirectoryError(
                path: path, reason: "cannot be written: \(reason).", advice: "Make room on the disk."
            )
        }
        return descriptor
    }

    /// The time to wait for a lock that this process itself held.
    ///
    /// A child that the process is just starting has a copy of every descriptor, and with it the lock, until
    /// `exec`.
    private static let patience = (attempts: 100, pause: useconds_t(10_000))

    private static func lock(_ descriptor: Int32) -> Bool {
        for attempt in 0... {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard attempt < patience.attempts, readHolder(descriptor)?.process == LockHolder.current.process else {
                return false
            }
            usleep(patience.pause)
        }
        return false
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    private static func readHolder(_ descriptor: Int32) -> LockHolder? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return LockHolder(line: String(decoding: bytes.prefix(count), as: UTF8.self))
    }
}

/// The process that acquired the lock, as recorded in the lock file: its id and its program.
private struct LockHolder: CustomStringConvertible {
    let process: String
    let program: String

    static var current: LockHolder {
        LockHolder(process: String(getpid()), program: ProcessInfo.processInfo.processName)
    }

    private init(process: String, program: String) {
        self.process = process
        self.program = program
    }

    var hasEnded: Bool { Int32(process).map { kill($0, 0) < 0 && errno == ESRCH } ?? false }

    /// Creates a holder from the line of the file; nil if the file is just being written.
    init?(line: String) {
        guard let end = line.firstIndex(of: "\n") else { return nil }
        let parts = line[..<end].split(separator: " ", maxSplits: 1)
        guard let process = parts.first, Int32(process) != nil else { return nil }
        self.init(process: String(process), program: parts.count > 1 ? String(parts[1]) : "")
    }

    var line: String { "\(process) \(program)\n" }

    var description: String { "process \(process)" + (program.isEmpty ? "" : " (\(program))") }
}
