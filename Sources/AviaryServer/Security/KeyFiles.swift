import AviaryDomain
import Crypto
import Foundation

/// The files behind a ``KeyRing``.
struct KeyFiles {
    let directory: String

    private static let keyLength = 32

    /// Oldest first.
    func load() throws(DataDirectoryError) -> [KeyRing.Key] {
        let names: [String]
        do {
            if !FileManager.default.fileExists(atPath: directory) {
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
                )
            }
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw DataDirectoryError(path: directory, reason: "cannot be read or created.", advice: "Check that this user owns the data directory.")
        }
        var keys: [KeyRing.Key] = []
        for name in names where name.hasSuffix(".key") {
            guard let id = KeyID(hexadecimal: name.dropLast(4)) else { continue }
            let path = directory + "/" + name
            guard let secret = FileManager.default.contents(atPath: path), secret.count == Self.keyLength else {
                throw DataDirectoryError(path: path, reason: "is not a readable key of 32 bytes.", advice: "Restore it from its backup, or remove it: what it sealed is then lost.")
            }
            keys.append(KeyRing.Key(id: id, secret: SymmetricKey(data: secret)))
        }
        return keys.sorted { $0.id < $1.id }
    }

    /// Makes a new key, on disk before it is used.
    func create() throws(DataDirectoryError) -> KeyRing.Key {
        let id = KeyID(seconds: UInt32(truncatingIfNeeded: Int(Date().timeIntervalSince1970)))
        let secret = SymmetricKey(size: .bits256)
        let path = directory + "/" + id.hexadecimal + ".key"
        try write(secret, to: path)
        return KeyRing.Key(id: id, secret: secret)
    }

    /// Under another name first, so that a crash leaves no half key; linked, so that of two processes that make the first
    /// key at once one fails instead of replacing the other's.
    private func write(_ secret: SymmetricKey, to path: String) throws(DataDirectoryError) {
        let temporary = path + ".\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DataDirectoryError(path: path, reason: "cannot be written.", advice: "Check that this user owns the data directory and that the disk is not full.")
        }
        let written = secret.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        let isFlushed = fsync(descriptor) == 0
        close(descriptor)
        defer { unlink(temporary) }
        guard written == Self.keyLength, isFlushed, link(temporary, path) == 0, flushDirectory() else {
            throw DataDirectoryError(path: path, reason: "could not be written completely.", advice: "Check that the disk is not full, and start again.")
        }
    }

    /// The new name, too, must survive a power loss before anything is sealed under the key.
    private func flushDirectory() -> Bool {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
