public import ArgumentParser
import AviaryAdmin
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

    /// Creates the options without a value.
    public init() {}

    /// The path of the data directory: the value of `--data`, otherwise of the variable `AVIARY_DATA`, otherwise
    /// `./data`.
    public var path: String {
        TextSetting(flag: "--data", variable: "AVIARY_DATA").value(data)?.text ?? "./data"
    }

    /// The location of the store.
    var store: StoreLocation { StoreLocation(path) }

    /// The options as they were entered, for a command to enter next.
    var given: [String] { data.map { ["--data", $0] } ?? [] }

    /// Checks that the directory exists, for commands that do not create it.
    ///
    /// - Throws: `DataDirectoryError` if the directory does not exist.
    func checkExists() throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw DataDirectoryError(
                path: path, reason: "does not exist.", advice: "Name the data directory with --data.")
        }
    }
}
