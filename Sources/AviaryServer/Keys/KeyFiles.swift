import AviaryDomain
import Crypto
import Foundation

/// The files behind a ``KeyRing``.
struct KeyFiles: Sendable {
    /// What was found: keys, oldest first, and those whose files are named like keys and are none.
    struct Found {
        var keys: [KeyRing.Key] = []
        var damaged: [KeyID] = []
    }

    /// Changes when a file is added or removed.
    struct Signature: Sendable, Equatable {
        let inode: UInt64
        let changed: Date
    }

    let directory: String

    private static let keyLength = 32

    func path(of key: KeyID) -> String { directory + "/" + key.hexadecimal + ".key" }

    /// - Throws: `DataDirectoryError` when the directory cannot be read. One that is not there has no keys.
    func load() throws(DataDirectoryError) -> Found {
        let names: [String]
        do {
            guard FileManager.default.fileExists(atPath: directory) else { return Found() }
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw unusable
        }
        var found = Found()
        for name in names where name.hasSuffix(".key") {
            guard let id = KeyID(hexadecimal: name.dropLast(4)) else { continue }
            if let secret = Self.secret(at: path(of: id)) {
                found.keys.append(KeyRing.Key(id: id, secret: secret))
            } else {
                found.damaged.append(id)
            }
        }
        found.keys.sort { $0.id < $1.id }
        return found
    }

    /// The keys, with a new one where there is neither a key nor what should be one.
    func loadOrCreate(at now: Date) throws(DataDirectoryError) -> (Signature?, Found) {
        if !FileManager.default.fileExists(atPath: directory) {
            do {
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
                )
            } catch {
                // Another process of the same start may have made it.
                guard FileManager.default.fileExists(atPath: directory) else { throw unusable }
            }
        }
        var signature = signature()
        var found = try load()
        guard found.keys.isEmpty, found.damaged.isEmpty else { return (signature, found) }
        do {
            _ = try create(KeyID(at: now))
        } catch {
            // Another process may have made the first key.
            guard try !load().keys.isEmpty else { throw error }
        }
        signature = nil
        found = try load()
        return (signature, found)
    }

    /// Makes a new key, on disk before it is used.
    ///
    /// - Throws: `DataDirectoryError` when it cannot be written, or is there already.
    func create(_ id: KeyID) throws(DataDirectoryError) -> KeyRing.Key {
        let secret = SymmetricKey(size: .bits256)
        try write(secret, to: path(of: id))
        return KeyRing.Key(id: id, secret: secret)
    }

    /// - Throws: `DataDirectoryError` when it is still there.
    func remove(_ id: KeyID) throws(DataDirectoryError) {
        guard unlink(path(of: id)) == 0 || errno == ENOENT, flushDirectory() else {
            throw DataDirectoryError(
                path: path(of: id), reason: "cannot be removed.",
                advice: "Check that this user owns the data directory.")
        }
    }

    /// Nil while the directory has changed so lately that the next change may bear the same time, and when there is none.
    func signature() -> Signature? {
        // Of a directory that is not there, nothing has to be remembered.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: directory),
            let changed = attributes[.modificationDate] as? Date, abs(changed.timeIntervalSinceNow) > 2
        else { return nil }
        return Signature(inode: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0, changed: changed)
    }

    /// What is wrong with a key that is damaged.
    func damage(of key: KeyID) -> DataDirectoryError {
        DataDirectoryError(
            path: path(of: key), reason: "is not a readable key of 32 bytes.",
            advice: "Restore it from its backup, or remove it: what it sealed is then lost."
        )
    }

    private var unusable: DataDirectoryError {
        DataDirectoryError(
            path: directory, reason: "cannot be read or created.",
            advice: "Check that this user owns the data directory.")
    }

    /// Never waits: whatever lies there under a key's name.
    private static func secret(at path: String) -> SymmetricKey? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // One more than there may be.
        var bytes = [UInt8](repeating: 0, count: keyLength + 1)
        let count = read(descriptor, &bytes, bytes.count)
        return count == keyLength ? SymmetricKey(data: bytes.prefix(count)) : nil
    }

    /// Under another name first, so that a crash leaves no half key; linked, so that of two processes that make the same
    /// key at once one fails instead of replacing the other's.
    private func write(_ secret: SymmetricKey, to path: String) throws(DataDirectoryError) {
        let temporary = path + ".\(getpid())"
        // Of a process of the same id that was killed here.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DataDirectoryError(
                path: path, reason: "cannot be written.",
                advice: "Check that this user owns the data directory and that the disk is not full.")
        }
        let written = secret.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        let isFlushed = fsync(descriptor) == 0
        close(descriptor)
        defer { unlink(temporary) }
        guard written == Self.keyLength, isFlushed, link(temporary, path) == 0, flushDirectory() else {
            throw DataDirectoryError(
                path: path, reason: "could not be written completely.",
                advice: "Check that the disk is not full, and start again.")
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
