import ArgumentParser
import Foundation

/// Lines of ``SampleRow``, as the peer reads them too.
enum RowFile {
    struct Damaged: Error, CustomStringConvertible {
        let path: String
        let line: Int
        var description: String { "\(path) has no row on line \(line)." }
    }

    static func write(_ numbers: Range<Int>, keys: Keys, to file: FileHandle) throws {
        var text = ""
        for number in numbers {
            text += SampleRow(number, keys: keys).line
            guard text.utf8.count > 1 << 20 else { continue }
            try file.write(contentsOf: Data(text.utf8))
            text = ""
        }
        try file.write(contentsOf: Data(text.utf8))
    }

    static func read(_ path: String) throws -> [SampleRow] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").enumerated().map { index, line in
            guard let row = SampleRow(line: line) else { throw Damaged(path: path, line: index + 1) }
            return row
        }
    }
}

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
