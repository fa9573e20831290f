package import AviaryDomain
import Crypto
import Foundation

/// The files behind a ``KeyRing``.
package struct KeyFiles: Sendable {
    /// The result of a look at the directory: the keys, oldest first, and the ids of files that are named like
    /// keys but hold none.
    struct Found {
        var keys: [KeyRing.Key] = []
        var damaged: [KeyID] = []
    }

    /// A value that changes when a file is added or removed.
    struct Signature: Sendable, Equatable {
        let inode: UInt64
        let changed: Date
    }

    let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    private static let keyLength = 32

    func path(of key: KeyID) -> String { directory + "/" + key.hexadecimal + ".key" }

    /// Reads the keys. A directory that does not exist has none.
    ///
    /// - Throws: `DataDirectoryError` when the directory cannot be read.
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

    /// Reads the ids of the keys, oldest first, and those of files that are named like keys but hold none.
    ///
    /// - Throws: `DataDirectoryError` when the directory cannot be read.
    package func ids() throws(DataDirectoryError) -> (keys: [KeyID], damaged: [KeyID]) {
        let found = try load()
        return (found.keys.map(\.id), found.damaged)
    }

    /// Reads the keys, and creates one when there is neither a key nor a damaged one.
    func loadOrCreate(at now: Date) throws(DataDirectoryError) -> (Signature?, Found) {
        if !FileManager.default.fileExists(atPath: directory) {
            do {
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
                )
            } catch {
                // Another process that starts at the same time may have created it.
                guard FileManager.default.fileExists(atPath: directory) else { throw unusable }
            }
        }
        var signature = signature()
        var found = try load()
        guard found.keys.isEmpty, found.damaged.isEmpty else { return (signature, found) }
        do {
            _ = try create(KeyID(at: now))
        } catch {
            // Another process may have created the first key.
            guard try !load().keys.isEmpty else { throw error }
        }
        signature = nil
        found = try load()
        return (signature, found)
    }

    /// Creates a key. The key is on disk before it is used.
    ///
    /// - Throws: `DataDirectoryError` when the key cannot be written or already exists.
    func create(_ id: KeyID) throws(DataDirectoryError) -> KeyRing.Key {
        let secret = SymmetricKey(size: .bits256)
        try write(secret, to: path(of: id))
        return KeyRing.Key(id: id, secret: secret)
    }

    /// Removes a key's file.
    ///
    /// - Throws: `DataDirectoryError` when the file still exists.
    func remove(_ id: KeyID) throws(DataDirectoryError) {
        guard unlink(path(of: id)) == 0 || errno == ENOENT, flushDirectory() else {
            throw DataDirectoryError(
                path: path(of: id), reason: "cannot be removed.",
                advice: "Check that this user owns the data directory.")
        }
    }

    /// Returns the directory's signature. Returns nil when the directory changed so recently that the next change
    /// may have the same time, and when there is no directory.
    func signature() -> Signature? {
        // A directory that does not exist needs no signature.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: directory),
            let changed = attributes[.modificationDate] as? Date, abs(changed.timeIntervalSinceNow) > 2
        else { return nil }
        return Signature(inode: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0, changed: changed)
    }

    /// Returns the error for a damaged key.
    func damage(of key: KeyID) -> DataDirectoryError {
        DataDirectoryError(
            path: path(of: key), reason: "is not a readable key of 32 bytes.",
            advice: "Restore it from its backup, or remove it. Data sealed with it is then lost."
        )
    }

    private var unusable: DataDirectoryError {
        DataDirectoryError(
            path: directory, reason: "cannot be read or created.",
            advice: "Check that this user owns the data directory.")
    }

    /// Reads a key's file without blocking, whatever kind of file has the key's name.
    private static func secret(at path: String) -> SymmetricKey? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // One byte more than a key has, to detect files that are too long.
        var bytes = [UInt8](repeating: 0, count: keyLength + 1)
        let count = read(descriptor, &bytes, bytes.count)
        return count == keyLength ? SymmetricKey(data: bytes.prefix(count)) : nil
    }

    /// Writes a key's file.
    ///
    /// The key is written under another name first, so that a crash leaves no partial key. It is then linked, so
    /// that of two processes that create the same key at once, one fails and does not replace the other's.
    private func write(_ secret: SymmetricKey, to path: String) throws(DataDirectoryError) {
        let temporary = path + ".\(getpid())"
        // A process with the same id may have left the file when it was killed.
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

    /// Flushes the directory. The new name must survive a power loss before anything is sealed under the key.
    private func flushDirectory() -> Bool {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
