import AviaryData
package import AviaryDomain
import Foundation

/// The location of a store: a data directory of this host, and the engine that contains the data.
///
/// ```swift
/// let location = try StoreLocation(data: "/var/lib/zoo", database: "postgresql://zoo@db.example.org/zoo")
/// ```
///
/// A database keeps the data elsewhere. The directory then contains what belongs to this host: keys, sockets, the lock and
/// snapshots.
public struct StoreLocation: Sendable {
    /// The path of the data directory.
    package let path: String
    let engine: any StoreEngine
    /// The address of the database, without a password; nil if the directory contains the store.
    package let database: DatabaseAddress?

    /// Creates the location of a store that its data directory contains.
    package init(_ path: String) {
        self.init(path: path, engine: StoreEngines.standard, database: nil)
    }

    /// Creates the location of a store.
    ///
    /// ```swift
    /// let store = try await AviaryStore.connect(to: StoreLocation(data: "data"))
    /// ```
    ///
    /// - Parameters:
    ///   - directory: The data directory of this host.
    ///   - database: The address of the PostgreSQL database that contains the store, such as
    ///     `postgresql://zoo@db.example.org/zoo`; nil if the directory contains it. The password is not part of it: it comes
    ///     from the file that `AVIARY_DATABASE_PASSWORD_FILE` names, or from `~/.pgpass`.
    /// - Throws: An error that says why the address cannot be used, such as a missing libpq.
    public init(data directory: String, database: String? = nil) throws {
        if let database {
            try self.init(directory, database: database)
        } else {
            self.init(directory)
        }
    }

    /// Creates the location of a store in a PostgreSQL database.
    ///
    /// - Parameters:
    ///   - path: The path of the data directory of this host.
    ///   - database: The address, such as `postgresql://aviary@db.example.org/zoo`. It contains no password.
    ///   - environment: The environment, which may name a file with the password.
    /// - Throws: ``DatabaseAddressError``.
    package init(
        _ path: String, database: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DatabaseAddressError) {
        let variable = StoreEngines.passwordFileVariable
        let file = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        if let file { try Self.checkSecret(file, from: variable) }
        let engine: any DatabaseEngine
        do {
            engine = try StoreEngines.database(database, passwordFile: file, directory: path)
        } catch {
            throw DatabaseAddressError(description: "\(error)")
        }
        self.init(path: path, engine: engine, database: DatabaseAddress(database))
    }

    private init(path: String, engine: any StoreEngine, database: DatabaseAddress?) {
        self.path = path
        self.engine = engine
        self.database = database
    }

    /// Checks that only its owner and group may read a file. systemd gives a service its credentials in such files.
    private static func checkSecret(_ path: String, from variable: String) throws(DatabaseAddressError) {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: path)
        } catch {
            throw DatabaseAddressError(description: "\(variable) names a file that cannot be read: \(path)")
        }
        let rights = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard rights & 0o007 == 0 else {
            throw DatabaseAddressError(
                description: "\(variable) names a file that everybody may read: chmod o= \(path)")
        }
    }
}

extension StoreLocation {
    /// The variable of the environment that names the database.
    package static let databaseVariable = "AVIARY_DATABASE"

    /// The flags with which a command, or a child of this process, has the same store. A child does not receive
    /// ``databaseVariable``.
    package var arguments: [String] { (database.map { ["--database", $0.text] } ?? []) + ["--data", path] }

    /// The flags of ``arguments`` as a part of a line for a shell.
    package var flags: String { arguments.map(\.shellQuoted).joined(separator: " ") }

    /// The store as a person calls it: the address of the database, or else the path of the directory.
    package var name: String { database?.text ?? path }

    /// Returns whether there is a store. It creates neither a store nor a directory.
    ///
    /// - Throws: An error that says why a database cannot be asked.
    package func hasStore() throws -> Bool {
        try engine.hasStore(DataDirectory(found: path))
    }

    /// Asks the server of the database what it is and how it is used.
    ///
    /// - Returns: The report; nil if the directory contains the store.
    /// - Throws: An error that says why the server cannot be asked.
    package func inspectDatabase() async throws -> DatabaseReport? {
        try await (engine as? any DatabaseEngine)?.inspect()
    }

    /// Checks the database before a server starts. A server that is away may be there in a moment, so that the store's process
    /// waits for it; one that refuses the address will not.
    ///
    /// - Throws: An error that says what to correct.
    package func checkDatabase() async throws {
        do {
            _ = try await inspectDatabase()
        } catch let error as EngineError where !error.isRefusal {
            return  // the store's process reports it, and tries again
        }
    }

    /// Opens the data directory, which is created if it does not exist.
    ///
    /// - Throws: `DataDirectoryError`.
    func directory() throws(DataDirectoryError) -> DataDirectory { try DataDirectory(path: path) }
}

/// The address of a database that cannot be used, with the reason and advice.
package struct DatabaseAddressError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
}

/// The address of a PostgreSQL database, for messages and checks. It contains no password.
package struct DatabaseAddress: Sendable, Hashable {
    package let text: String
    /// The names of the hosts, with their ports if the address has them. A Unix socket is a path; none is the socket of
    /// libpq's own choice.
    package let hosts: [String]
    /// The name of the database; nil if it is that of the user.
    package let name: String?
    /// The settings after the question mark.
    package let settings: [String: String]

    /// Parses an address that libpq has accepted.
    package init(_ text: String) {
        self.text = text
        let rest = text.range(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1] : ""
        settings = Dictionary(
            query.split(separator: "&").map { setting in
                let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let value = pair.count > 1 ? String(pair[1]) : ""
                return (String(pair[0]), value.removingPercentEncoding ?? value)
            }, uniquingKeysWith: { _, last in last })
        let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = place[0].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let given = settings["host"] ?? (authority.removingPercentEncoding ?? String(authority))
        hosts = given.split(separator: ",").map(String.init)
        let path = place.count > 1 ? String(place[1]) : ""
        let database = settings["dbname"] ?? path.removingPercentEncoding ?? path
        name = database.isEmpty ? nil : database
    }

    /// Indicates whether no other machine carries the connection: all hosts are Unix sockets or addresses of this machine.
    package var isLocal: Bool {
        hosts.allSatisfy { host in
            let name =
                host.hasPrefix("[") ? String(host.prefix { $0 != "]" }.dropFirst()) : String(host.prefix { $0 != ":" })
            return host.hasPrefix("/") || name == "localhost" || name == "::1" || name.hasPrefix("127.")
        }
    }

    /// Indicates whether the server is verified to be the one that is meant.
    package var verifiesServer: Bool { settings["sslmode"] == "verify-full" }
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
