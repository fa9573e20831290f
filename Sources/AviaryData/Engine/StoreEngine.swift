package import AviaryDomain
import Foundation

/// A database engine that stores a store's data. All code that is specific to an engine is behind this protocol.
package protocol StoreEngine: Sendable {
    var dialect: any SQLDialect { get }
    /// The durability settings with which ``openWriter(_:)`` opens every store, or rejects it, as text for
    /// measurements.
    var durability: String { get }
    /// The time in which a search for choices returns what it has found.
    var searchLimit: Duration { get }

    /// Indicates whether the directory has a store.
    ///
    /// The result is also true if there is one that may not be read. The next step reports the error.
    func hasStore(_ directory: DataDirectory) throws -> Bool

    /// Returns the place of the directory's store, for messages.
    func name(of directory: DataDirectory) -> String

    /// Opens the single connection that writes, and creates what is missing. A COMMIT that has returned is on disk.
    ///
    /// - Throws: ``StoreOpenError``, ``DataDirectoryError``, ``EngineError``. A file that is not a store remains
    ///   unchanged.
    func openWriter(_ directory: DataDirectory) throws -> any WriterConnection

    /// Opens a connection that reads.
    ///
    /// - Throws: ``StoreOpenError``, ``EngineError``.
    func openReader(_ directory: DataDirectory) throws -> any ReaderConnection

    /// Opens a copy of one committed state of the store. The copy is not flushed.
    ///
    /// The store continues while the copy is made. Long reads of the store itself would block its checkpoints.
    ///
    /// - Parameters:
    ///   - path: The path at which the engine may store the copy.
    ///   - check: A function that checks the store before it is copied.
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``, and the errors of the check.
    func copyStore(
        of directory: DataDirectory, to path: String, check: (any Connection) throws -> Void
    ) throws -> any Connection

    /// Creates a store that no other connection opens before it is finished, without flushes and without checks of
    /// references.
    ///
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``.
    func createStore(at path: String) throws -> any WriterConnection

    /// Opens a store that ``createStore(at:)`` created, to complete it before it replaces another one.
    ///
    /// - Throws: ``StoreOpenError``, ``EngineError``.
    func openReplacement(at path: String) throws -> any WriterConnection

    /// Makes a finished store, which no connection has open, the directory's first one, durably and atomically.
    ///
    /// - Returns: False, with nothing changed, if there is already a store, or files of one.
    /// - Throws: ``FileError``.
    func place(storeAt path: String, in directory: DataDirectory) throws -> Bool

    /// Returns whether the store of the directory was replaced and remains at the path, and removes what an abandoned
    /// replacement has left.
    ///
    /// No process may replace the store meanwhile. ``WriterConnection/replaceContents(byThoseOf:keepingReplacedAt:)``
    /// replaces it.
    func isReplaced(storeAt path: String, in directory: DataDirectory) throws -> Bool

    /// Removes a store that ``createStore(at:)`` created, or that was replaced, and that is not needed any more.
    func removeStore(at path: String)
}

extension StoreEngine {
    package var searchLimit: Duration { .milliseconds(25) }
    package func name(of directory: DataDirectory) -> String { directory.storePath }
}

/// An engine that stores a store's data in a database of a server.
package protocol DatabaseEngine: StoreEngine {
    /// Asks the server what it is and how it is used. It creates nothing.
    ///
    /// - Throws: ``StoreOpenError/database(_:)`` if the server or the database is not suitable; ``EngineError`` that says why
    ///   it cannot be reached.
    func inspect() async throws -> DatabaseReport
}

package enum StoreEngines {
    /// The variable of the environment that names the file with the password of a database.
    package static let passwordFileVariable = PostgreSQLAddress.passwordFileVariable

    /// Returns the engine of a host whose store is in a database.
    ///
    /// - Parameters:
    ///   - address: The address, such as `postgresql://aviary@db.example.org/zoo`. It contains no password.
    ///   - passwordFile: The file that contains the password; nil if libpq finds it.
    ///   - directory: The data directory of the host.
    /// - Throws: ``StoreOpenError/database(_:)``.
    package static func database(
        _ address: String, passwordFile: String?, directory: String
    ) throws(StoreOpenError) -> any DatabaseEngine {
        PostgreSQLEngine(
            address: try PostgreSQLAddress(address, passwordFile: passwordFile), directory: directory)
    }

    /// The engine of a store that specifies none.
    ///
    /// The data tests run with the other engine when `AVIARY_ENGINE` names it: each of their directories then has a store in the
    /// database `AVIARY_TEST_DATABASE`.
    package static let standard: any StoreEngine = {
        let environment = ProcessInfo.processInfo.environment
        guard environment["AVIARY_ENGINE"] == "postgresql", let text = environment["AVIARY_TEST_DATABASE"],
            let address = try? PostgreSQLAddress(text)  // the first use of the other engine fails then
        else { return SQLiteEngine() }
        return PostgreSQLEngine(addressOfManyStores: address)
    }()
}
