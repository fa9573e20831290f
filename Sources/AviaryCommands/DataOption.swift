public import ArgumentParser
public import AviaryAdmin
import AviaryDomain
import Foundation

/// The options `--data DIR` and `--database URL`, which all commands have, and which an application's own commands can use
/// too.
///
/// ```swift
/// @OptionGroup var location: DataOption
/// ```
public struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory, ./data by default.", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The PostgreSQL database that contains the store, as postgresql://user@host/name. The data directory then contains "
                + "only what belongs to this host.", valueName: "url"))
    var database: String?

    /// Creates the options without a value.
    public init() {}

    /// The path of the data directory: the value of `--data`, otherwise of the variable `AVIARY_DATA`, otherwise
    /// `./data`.
    public var path: String {
        TextSetting(flag: "--data", variable: "AVIARY_DATA").value(data)?.text ?? "./data"
    }

    /// The location of the store, for `AviaryApp.withStore(at:as:)`. It is in a database if `--database`, or otherwise the
    /// variable `AVIARY_DATABASE`, names one.
    ///
    /// - Throws: `ValidationError` for an address that cannot be used.
    public var store: StoreLocation {
        get throws {
            guard
                let address = TextSetting(flag: "--database", variable: StoreLocation.databaseVariable).value(database)
            else {
                return StoreLocation(path)
            }
            return try Self.location(of: address.text, from: address.source, path: path)
        }
    }

    static func location(of database: String, from source: String, path: String) throws -> StoreLocation {
        do {
            return try StoreLocation(path, database: database)
        } catch {
            throw ValidationError("\(source): \(error)")
        }
    }

    public func validate() throws { _ = try store }

    /// Returns the location of sample data: a directory, or the database that `--database` names. `AVIARY_DATABASE`, like
    /// `AVIARY_DATA`, is that of the real data.
    ///
    /// - Throws: `ValidationError` if the database contains a store, which a demo would show to everybody.
    func demo(in path: String) throws -> StoreLocation {
        guard let database else { return StoreLocation(path) }
        let location = try Self.location(of: database, from: "--database", path: path)
        guard try !location.hasStore() else {
            throw ValidationError("--demo needs an empty database, and \(location.name) contains a store.")
        }
        return location
    }

    /// The options as they were entered, for a command to enter next.
    var given: [String] {
        (database.map { ["--database", $0] } ?? []) + (data.map { ["--data", $0] } ?? [])
    }

    /// Checks that the directory exists, for commands that do not create it. A store in a database does not need it.
    ///
    /// - Throws: `DataDirectoryError` if the directory does not exist.
    func checkExists() throws {
        guard try store.database != nil || FileManager.default.fileExists(atPath: path) else {
            throw DataDirectoryError(
                path: path, reason: "does not exist.", advice: "Name the data directory with --data.")
        }
    }
}
