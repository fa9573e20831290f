import AviaryDomain
import Foundation

/// The place of a store that a restore replaces. The replaced store remains there until its snapshot is complete.
///
/// The directory is locked while its restore or the store process uses it. One that a killed restore has left is not, and
/// the next restore, backup or start of the server writes the snapshot.
final class ReplacedStore: Sendable {
    private static let prefix = ".replaced-"
    private static let beginningPrefix = ".new-replaced-"
    private static let endingPrefix = ".removed-replaced-"
    private static let pathFile = "/path"

    /// The path of the store, exactly as the store process was given it.
    let storePath: String
    /// The path of the directory.
    let path: String
    private let descriptor: Int32

    /// Joins the place, or creates it.
    ///
    /// - Parameter storePath: The path of the store, ``path(in:for:)``.
    /// - Throws: ``FileError``.
    init(at storePath: String) throws(FileError) {
        self.storePath = storePath
        path = String(StoreFileName.directory(of: storePath).dropLast())
        descriptor = try Self.open(path, at: storePath)
    }

    private init(left path: String, at storePath: String, _ descriptor: Int32) {
        self.path = path
        self.storePath = storePath
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Returns the path of the store that the holder of writes replaces. It is on the disk of the store.
    static func path(in directory: DataDirectory, for holder: UUID) -> String {
        URL(fileURLWithPath: directory.path).path + "/" + prefix + holder.canonicalText + "/store.sqlite"
    }

    private static func open(_ path: String, at storePath: String) throws(FileError) -> Int32 {
        if let descriptor = lock(path, LOCK_SH) { return descriptor }
        // The directory has another name until it is locked, so that no process takes it for one that was left.
        let parent = StoreFileName.directory(of: path)
        let beginning = parent + beginningPrefix + UUID().canonicalText
        guard mkdir(beginning, 0o700) == 0 else { throw .unwritable(parent) }
        guard let descriptor = lock(beginning, LOCK_SH),
            FileManager.default.createFile(atPath: beginning + pathFile, contents: Data(storePath.utf8)),
            rename(beginning, path) == 0
        else {
            let error = FileError.unwritable(parent)
            try? FileManager.default.removeItem(atPath: beginning)  // the next restore removes it
            throw error
        }
        return descriptor
    }

    /// Returns a descriptor that holds the lock; nil if there is no such directory or it is locked otherwise.
    private static func lock(_ path: String, _ kind: Int32) -> Int32? {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        // It may have been removed between both calls.
        if flock(descriptor, kind | LOCK_NB) == 0, access(path, F_OK) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Returns the places that killed restores have left in the directory.
    static func left(in directory: DataDirectory) -> [ReplacedStore] {
        // A directory that cannot be read has its own error when the store is opened.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.sorted().compactMap { name in
            let path = directory.path + "/" + name
            if name.hasPrefix(beginningPrefix) { removeIfOld(path) }
            // A killed process has left it, or another removes it at this moment.
            if name.hasPrefix(endingPrefix) { try? FileManager.default.removeItem(atPath: path) }
            guard name.hasPrefix(prefix), let descriptor = lock(path, LOCK_EX) else { return nil }
            // A file is where the place is, also after the directory was moved or copied. A database has another place.
            let file = path + "/store.sqlite"
            let text = FileManager.default.contents(atPath: path + pathFile).map { String(decoding: $0, as: UTF8.self) }
            let storePath = access(file, F_OK) == 0 ? file : text ?? file
            return ReplacedStore(left: path, at: storePath, descriptor)
        }
    }

    private static func removeIfOld(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > 60 else { return }
        try? FileManager.default.removeItem(atPath: path)  // the next call tries again
    }

    /// Indicates whether the place contains a store that was replaced. False if that is not known yet.
    func isReplaced(by engine: any StoreEngine, in directory: DataDirectory) throws -> Bool {
        // The store process may still be about to replace the store for a restore that has given up.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        return try engine.isReplaced(storeAt: storePath, in: directory)
    }

    /// Removes the place with its store, unless the store process uses it.
    func remove(by engine: any StoreEngine) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        engine.removeStore(at: storePath)
        // A kill must not leave a part of the store, which would be saved as the whole.
        let leaving = StoreFileName.directory(of: path) + Self.endingPrefix + UUID().canonicalText
        guard rename(path, leaving) == 0 else { return }
        // The next call of left(in:) removes the rest.
        try? FileManager.default.removeItem(atPath: leaving)
    }
}
