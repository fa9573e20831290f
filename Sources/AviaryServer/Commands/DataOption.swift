public import ArgumentParser
import AviaryDomain
import Foundation

/// `--data DIR`, everywhere: also for an application's own commands.
///
/// ```swift
/// @OptionGroup var location: DataOption
/// ```
public struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory, ./data by default.", valueName: "dir"))
    var data: String?

    public init() {}

    /// The flag, else `AVIARY_DATA`, else `./data`.
    public var path: String {
        TextSetting(flag: "--data", variable: "AVIARY_DATA").value(data)?.text ?? "./data"
    }

    /// For commands that make no directory.
    ///
    /// - Throws: `DataDirectoryError` when there is none.
    func checkExists() throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw DataDirectoryError(
                path: path, reason: "does not exist.", advice: "Name the data directory with --data.")
        }
    }
}
