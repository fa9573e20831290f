import ArgumentParser
import Foundation

/// `--data DIR`, everywhere.
struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory, ./data unless given.", valueName: "dir"))
    var data: String?

    /// The flag, else the environment, else `./data`.
    var path: String {
        data ?? ProcessInfo.processInfo.environment["AVIARY_DATA"] ?? "./data"
    }
}
