import ArgumentParser
import Foundation

/// `--data DIR`, everywhere.
struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory.", valueName: "dir"))
    var data: String = ProcessInfo.processInfo.environment["AVIARY_DATA"] ?? "./data"
}
