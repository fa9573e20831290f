import AviaryDomain
import Crypto
import Foundation

/// An engine that stores a store in a schema of a PostgreSQL database, which several hosts can share.
///
/// A directory on each host remains for what is not data: keys, sockets, locks and snapshots. The store of the engine's own
/// directory is the schema of the address. A store at another path, which is built to replace it, is a schema of its own,
/// named by the path.
package struct PostgreSQLEngine: StoreEngine {
    /// The name of the schema of a store.
    package static let standardSchema = "aviary"

    package let address: PostgreSQLAddress
    /// Returns the schema of the store with the path of a file.
    private let schemaName: @Sendable (String) -> String
    let timelines = PostgreSQLTimelines()

    package let dialect: any SQLDialect = PostgreSQLDialect()
    package var durability: String { "synchronous_commit=on" }
    /// The server plans each statement anew on each connection, which takes longer than a search of a file.
    package var searchLimit: Duration { .milliseconds(250) }

    /// Creates the engine of a host.
    ///
    /// - Parameters:
    ///   - directory: The directory of the host.
    ///   - schema: The schema that contains the store.
    package init(address: PostgreSQLAddress, directory: String, schema: String = standardSchema) {
        let home = URL(filePath: directory).standardizedFileURL.path + "/store.sqlite"
        self.init(address: address) { path in
            URL(filePath: path).standardizedFileURL.path == home
                ? schema : PostgreSQLSchemas.buildPrefix + Self.hash(of: path)
        }
    }

    /// Creates an engine whose directories each have a store, for tests.
    package init(addressOfManyStores address: PostgreSQLAddress) {
        self.init(address: address) { PostgreSQLSchemas.buildPrefix + Self.hash(of: $0) }
    }

    private init(address: PostgreSQLAddress, schemaName: @escaping @Sendable (String) -> String) {
        self.address = address
        self.schemaName = schemaName
    }

    /// Returns a name that every process of this host has for a path. No two paths have the same one.
    private static func hash(of path: String) -> String {
        let path = URL(filePath: path).standardizedFileURL.path
        let text = ProcessInfo.processInfo.hostName + "\n" + path
        return SHA256.hash(data: Data(text.utf8)).prefix(16).map { String(0x100 | Int($0), radix: 16).dropFirst() }
            .joined()
    }

    package func hasStore(_ directory: DataDirectory) throws -> Bool {
        let connection = try connect(directory.storePath, as: .reader)
        defer { connection.close() }
        return try connection.isStore()
    }

    package func openWriter(_ directory: DataDirectory) throws -> any WriterConnection {
        let connection = try connect(directory.storePath, as: .writer)
        try connection.prepareSchema()
        connection.removeAbandonedSchemas()
        return connection
    }

    package func openReader(_ directory: DataDirectory) throws -> any ReaderConnection {
        let connection = try connect(directory.storePath, as: .reader)
        guard try !connection.isEmpty() else {
            connection.close()
            throw StoreOpenError.missing(path: connection.path)
        }
        return connection
    }

    /// Opens one committed state of the store. The server keeps it for the transaction, so that nothing is copied.
    package func copyStore(
        of directory: DataDirectory, to path: String, check: (any Connection) throws -> Void
    ) throws -> any Connection {
        let connection = try openReader(directory)
        try connection.beginReading()
        do {
            try check(connection)
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    package func createStore(at path: String) throws -> any WriterConnection {
        let connection = try connect(path, as: .builder)
        try connection.dropSchema()
        try connection.prepareSchema()
        try connection.run(
            PostgreSQLSchemas.comment(PostgreSQLSchemas.built(at: path), on: schemaName(path)))
        return connection
    }

    package func openReplacement(at path: String) throws -> any WriterConnection {
        let connection = try connect(path, as: .builder)
        guard try connection.isStore() else {
            throw EngineError(
                kind: .cannotOpen, code: nil, message: "there is no store to open", operation: "open \(connection.path)"
            )
        }
        connection.turn = try connection.commitNumber()
        return connection
    }

    package func place(storeAt path: String, in directory: DataDirectory) throws -> Bool {
        let source = schemaName(path), target = schemaName(directory.storePath)
        let connection = try connect(path, as: .builder)
        defer { connection.close() }
        do throws(EngineError) {
            try connection.run("BEGIN")
            // A builder does not wait for its commits otherwise. This one makes all of them durable.
            try connection.run("SET LOCAL synchronous_commit = on")
            try connection.run(
                "ALTER SCHEMA \(PostgreSQLDialect.quoted(source)) RENAME TO \(PostgreSQLDialect.quoted(target))")
            try connection.run(PostgreSQLSchemas.comment(nil, on: target))
            try connection.commit()
            return true
        } catch {
            connection.abandonTransaction()
            guard error.isOfExistingSchema else { throw error }
            return false
        }
    }

    package func removeStore(at path: String) {
        // The next opening of the store removes the rest.
        guard let connection = try? connect(path, as: .builder) else { return }
        defer { connection.close() }
        try? connection.dropSchema()  // as above
    }

    package func isReplaced(storeAt path: String, in directory: DataDirectory) throws -> Bool {
        try hasStore(DataDirectory(found: String(StoreFileName.directory(of: path).dropLast())))
    }

    private func connect(_ path: String, as role: PostgreSQLConnection.Role) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(
            address, schema: schemaName(path), role: role, timelines: timelines, schemaName: schemaName)
    }
}

extension PostgreSQLConnection {
    fileprivate func dropSchema() throws {
        try run("DROP SCHEMA IF EXISTS \(PostgreSQLDialect.quoted(schema)) CASCADE")
    }
}
