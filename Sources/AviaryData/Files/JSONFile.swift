import Foundation

/// A small file that is replaced atomically: a reader sees the old contents or the new.
struct JSONFile<Value: Codable & Sendable>: Sendable {
    let path: String

    /// Returns the value; nil if there is none or it cannot be read, because its loss is not worth a failure.
    func read() -> Value? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: data)
    }

    /// Removes the file if it exists.
    func remove() {
        unlink(path)
    }

    /// Replaces the file.
    ///
    /// - Throws: ``FileError``.
    func write(_ value: Value) throws {
        let data = try JSONEncoder().encode(value)
        let temporary = path + "." + UUID().uuidString.prefix(8) + ".partial"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError.unwritable(path) }
        defer { close(descriptor) }
        // The lock shows that the file is not abandoned, however long the disk takes.
        flock(descriptor, LOCK_SH | LOCK_NB)
        do {
            try FileSink(descriptor: descriptor, path: path).write([UInt8](data))
            guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw FileError.unwritable(path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
