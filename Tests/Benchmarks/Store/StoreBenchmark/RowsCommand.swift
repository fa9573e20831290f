import ArgumentParser
import Foundation

struct RowsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows", abstract: "Write rows to standard output, for the store and its peer alike."
    )

    @Option(help: "Where new values of the unique column fall in its index: ordered or random.")
    var keys: Keys = .ordered

    @Option(help: "The number of the first row.")
    var first = 0

    @Option(help: "How many rows.")
    var count = 60_000

    func run() throws {
        try RowFile.write(first..<(first + count), keys: keys, to: .standardOutput)
    }
}
