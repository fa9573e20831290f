import AviaryDomain
import Foundation

/// The file that the name of a store leads to.
///
/// The first store of a directory is the file `store.sqlite` itself. The store of a restore is a file of its own, such as
/// `store-ID.sqlite`, and `store.sqlite` becomes a symbolic link to it. SQLite resolves the link when it opens the file, so
/// that the write-ahead log and the shared memory of a connection always belong to the file that it has open.
enum StoreFileName {
    /// Returns the text of the symbolic link; nil if the path is that of the file itself, or if there is nothing.
    static func link(at path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
        }
    }

    /// Returns the path of the file itself, to which a chain of links may lead.
    static func file(of path: String) -> String {
        guard let link = link(at: path) else { return path }
        guard let file = realpath(path, nil) else { return link.hasPrefix("/") ? link : directory(of: path) + link }
        defer { free(file) }
        return String(cString: file)
    }

    /// Returns the path of the directory, with a slash at its end.
    static func directory(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }

    /// Returns the identity of the file that the path leads to; nil if there is none.
    static func identity(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The file that the name of a store leads to, by the text of its link and its number.
    struct Destination: Equatable {
        fileprivate let link: String?
        fileprivate let number: UInt64?
    }

    /// Returns the file that the path leads to now.
    static func destination(of path: String) -> Destination {
        Destination(link: link(at: path), number: identity(of: path))
    }

    /// Removes the log of the file that had the name before the name became a link.
    static func removeLogOfReplacedFile(of path: String) {
        guard link(at: path) != nil else { return }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }
}

/// The change from the file of a store to that of the store that replaces it.
///
/// A process that is killed leaves the old store or the new one: one rename of the symbolic link is the whole change. What is
/// made before it are additional names. The replaced store keeps a name, with its log, as the store at another path.
struct StoreFileChange {
    /// The files of a store, in the order of their removal: as long as the first file has its name, the others are found.
    private static let suffixes = ["-wal", "-shm", ""]
    private static let nextSuffix = ".next"

    let path: String
    /// The path of the new store's file.
    let new: String
    private let old: String
    private let kept: String

    /// Creates a change, which has no effect yet.
    ///
    /// - Parameters:
    ///   - path: The path that always leads to the current store.
    ///   - kept: The path at which the replaced store is kept. The name of its directory ends with a unique id.
    init(of path: String, keepingReplacedAt kept: String) {
        self.path = path
        self.kept = kept
        old = StoreFileName.file(of: path)
        new = Self.file(ofChangeKeeping: kept, in: StoreFileName.directory(of: path))
    }

    private static func file(ofChangeKeeping kept: String, in directory: String) -> String {
        directory + "store-" + StoreFileName.directory(of: kept).dropLast().suffix(36) + ".sqlite"
    }

    /// Gives both stores their additional names, durably.
    ///
    /// - Throws: ``FileError``. ``undo()`` removes what was made.
    func prepare(_ finished: String) throws {
        try AtomicFile.flush(finished)
        if link(finished, new) != 0 { try copy(finished) }
        for suffix in ["", "-wal"] {
            guard link(old + suffix, kept + suffix) == 0 || !suffix.isEmpty && errno == ENOENT else {
                throw FileError.unwritable(kept)
            }
        }
        try AtomicFile.flushDirectory(of: kept)
        try AtomicFile.flushDirectory(of: new)
    }

    /// Copies the file of the new store, which another disk has.
    private func copy(_ finished: String) throws {
        guard errno == EXDEV || errno == EPERM else { throw FileError.unwritable(new) }
        try FileManager.default.copyItem(atPath: finished, toPath: new)
        try AtomicFile.flush(new)
    }

    /// Makes the path lead to the new store.
    ///
    /// - Throws: ``FileError`` if nothing has changed; ``EngineError`` of the kind ``EngineError/Kind/flush`` if it is not
    ///   known whether the change is on disk.
    func take() throws {
        let next = new + Self.nextSuffix
        // A killed process may have left it.
        unlink(next)
        guard symlink(String(new.dropFirst(StoreFileName.directory(of: path).count)), next) == 0,
            rename(next, path) == 0
        else { throw FileError.unwritable(path) }
        do {
            try AtomicFile.flushDirectory(of: path)
        } catch {
            throw EngineError(kind: .flush, code: nil, message: error.description, operation: "replace")
        }
    }

    /// Removes the additional names.
    func undo() {
        for suffix in Self.suffixes { unlink(new + suffix) }
        for suffix in Self.suffixes { unlink(kept + suffix) }
    }

    /// Removes the names that the replaced store had as the current one. Connections that have it open are not affected.
    func removeOldNames() {
        if old == path { return StoreFileName.removeLogOfReplacedFile(of: path) }
        for suffix in Self.suffixes { unlink(old + suffix) }
    }

    /// Indicates whether a change was made. It removes the additional names of a change that was not, and the old names of
    /// one that was.
    ///
    /// No process may be about to make the change.
    static func wasMade(keeping kept: String, of path: String) -> Bool {
        let directory = StoreFileName.directory(of: path)
        let new = file(ofChangeKeeping: kept, in: directory)
        unlink(new + nextSuffix)
        let current = StoreFileName.identity(of: path)
        guard let replaced = StoreFileName.identity(of: kept), replaced != current else {
            if StoreFileName.identity(of: new) != current { for suffix in suffixes { unlink(new + suffix) } }
            return false
        }
        StoreFileName.removeLogOfReplacedFile(of: path)
        // The next change looks again.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names where name.hasPrefix("store-") && name.hasSuffix(".sqlite") {
            guard StoreFileName.identity(of: directory + name) == replaced else { continue }
            for suffix in suffixes { unlink(directory + name + suffix) }
        }
        return true
    }
}
