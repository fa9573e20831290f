public import ArgumentParser
import Foundation

/// `--data DIR`, everywhere: also for an application's own commands.
///
/// ```swift
/// @OptionGroup var location: DataOption
/// ```
public struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory, ./data unless given.", valueName: "dir"))
    var data: String?

    public init() {}

    /// The flag, else `AVIARY_DATA`, else `./data`.
    public var path: String {
        data ?? ProcessInfo.processInfo.environment["AVIARY_DATA"] ?? "./data"
    }
}
