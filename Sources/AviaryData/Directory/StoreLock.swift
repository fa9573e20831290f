package import AviaryDomain
import Foundation

/// The right to write to a data directory: one process, one store, until it is released or the process ends.
///
/// On a file of its own, because closing any descriptor of the database file drops SQLite's locks. `flock` also
/// refuses a second store in the same process, which `fcntl` would not.
package final class StoreLock: Sendable {
    /// Shares the lock with whoever inherits it: it is released when the last holder lets go.
    package let descriptor: Int32

    /// - Throws: ``DataDirectoryError`` that names the process that has it.
    package init(_ directory: DataDirectory) throws(DataDirectoryError) {
        descriptor = try Self.acquire(directory)
    }

    /// Takes part in the lock that the process which started this one has acquired.
    package init(inherited descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }

    private static func acquire(_ directory: DataDirectory) throws(DataDirectoryError) -> Int32 {
        let path = directory.lockPath
        // Close-on-exec: a child that lived on would keep the lock.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DataDirectoryError(
                path: path, reason: "cannot be opened: \(SystemError.current).",
                advice: "Let it belong to the user that runs this program."
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = readProcess(descriptor)
            close(descriptor)
            throw DataDirectoryError(
                path: directory.path, reason: "is in use by process \(holder ?? "unknown").",
                advice: "Stop that process first, or choose another directory with --data."
            )
        }
        fchmod(descriptor, 0o600)
        guard ftruncate(descriptor, 0) == 0, write("\(getpid())\n", to: descriptor) else {
            let reason = SystemError.current
            close(descriptor)
            throw DataDirectoryError(
                path: path, reason: "cannot be written: \(reason).", advice: "Make room on the disk."
            )
        }
        return descriptor
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    private static func readProcess(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let digits = bytes.prefix(count).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }
}
