import AviaryData
package import AviaryDomain
import Foundation

/// The location of a store: a data directory of this host, and the engine that contains the data.
///
/// An engine of a database keeps the data elsewhere. The directory then contains what belongs to this host: keys, sockets,
/// the lock and snapshots.
package struct StoreLocation: Sendable {
    /// The path of the data directory.
    package let path: String
    let engine: any StoreEngine
    /// The address of the database, without a password; nil if the directory contains the store.
    package let database: String?

    /// Creates the location of a store that its data directory contains.
    package init(_ path: String) {
        self.init(path: path, engine: StoreEngines.standard, database: nil)
    }

    private init(path: String, engine: any StoreEngine, database: String?) {
        self.path = path
        self.engine = engine
        self.database = database
    }
}

extension StoreLocation {
    /// The flags with which a command, or a child of this process, has the same store.
    package var arguments: [String] { (database.map { ["--database", $0] } ?? []) + ["--data", path] }

    /// The flags of ``arguments`` as a part of a line for a shell.
    package var flags: String { arguments.map(\.shellQuoted).joined(separator: " ") }

    /// The store as a person calls it: the address of the database, or else the path of the directory.
    package var name: String { database ?? path }

    /// Returns whether there is a store. It creates neither a store nor a directory.
    ///
    /// - Throws: An error that says why a database cannot be asked.
    package func hasStore() throws -> Bool {
        DataDirectory.hasStore(at: path)
    }

    /// Opens the data directory, which is created if it does not exist.
    ///
    /// - Throws: `DataDirectoryError`.
    func directory() throws(DataDirectoryError) -> DataDirectory { try DataDirectory(path: path) }
}

extension String {
    /// The text as one word of a command for a shell.
    package var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            byte >= 48 && byte <= 57 || byte >= 65 && byte <= 90 || byte >= 97 && byte <= 122
                || "-_./=:,+@%".utf8.contains(byte)
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
