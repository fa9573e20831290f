import AviaryDomain
import CSQLite
import Foundation

/// One committed point of a store in a file of its own, taken while the store goes on.
///
/// Long reads of the store itself would keep its write-ahead log from shrinking.
struct StoreCopy {
    private static let busyTimeoutInMilliseconds: Int32 = 2000

    let connection: Connection
    let tables: ModelTables

    /// - Throws: ``StoreOpenError`` when there is no store, or it has other models; ``SQLiteError``.
    init(of directory: DataDirectory, schema: Schema, in working: WorkingDirectory) throws {
        let path = working.path + "/copy.sqlite"
        let store = try Self.openStore(directory)
        defer { store.close() }
        try StoreLayout.checkIdentity(of: store)
        // A model that only the file has would be missing from the snapshot.
        try StoreLayout.check(schema, againstFileOf: store)
        try Self.createPrivateFile(path)
        try store.run("VACUUM INTO ?", .text(path))
        connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY, busyTimeoutInMilliseconds: 0)
        tables = ModelTables(schema)
    }

    // Not query_only, which would refuse VACUUM INTO; the file itself is open read-only.
    private static func openStore(_ directory: DataDirectory) throws -> Connection {
        do {
            return try Connection(
                path: directory.storePath, flags: SQLITE_OPEN_READONLY, busyTimeoutInMilliseconds: busyTimeoutInMilliseconds
            )
        } catch {
            guard error.code == SQLITE_CANTOPEN else { throw error }
            throw StoreOpenError.missing(path: directory.storePath)
        }
    }

    /// SQLite takes over the permissions of an empty file.
    private static func createPrivateFile(_ path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        close(descriptor)
    }
}
