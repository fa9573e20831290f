import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

/// Adds to a small store and to a large one in turns, so that whatever disturbs the machine disturbs both.
struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "Measure what adding costs in a small store and in a large one."
    )

    @Option(help: "The directory of the large store. Grows a little with every turn.")
    var large: String

    @Option(help: "The file of the small store. Copied for every turn, so that it stays small.")
    var small: String

    @Option(help: "A directory for the copies.")
    var copies: String

    @Option(help: "The number of the first row that is added: above those of the large store.")
    var first: Int

    @Option(help: "Where new values of the unique column fall in its index: ordered or random.")
    var keys: Keys = .ordered

    @Option(help: "How many submit at the same time.")
    var callers = 64

    @Option(help: "How often each is measured.")
    var turns = 9

    @Option(help: "How many rows a turn measures; as many as make the log overflow a few times.")
    var rows = 5000

    func run() async throws {
        let largeStore = try BenchmarkStore.open(large)
        var first = first
        // Until the cache holds what a server's would that has run for a while.
        _ = try await add(4 * rows, to: largeStore, from: &first)
        for turn in 1...turns {
            let measured = try await add(rows, to: largeStore, from: &first)
            try JSONLine.print(Turn(turn: turn, store: "large", report: measured.report))
            let copy = copies + "/\(turn)"
            let smallStore = try openCopy(copy)
            _ = try await add(rows / 10, to: smallStore, from: &first)
            let compared = try await add(rows, to: smallStore, from: &first)
            await smallStore.close()
            try FileManager.default.removeItem(atPath: copy)
            try JSONLine.print(Turn(turn: turn, store: "small", report: compared.report))
        }
        await largeStore.close()
    }

    private func add(_ count: Int, to store: Store, from first: inout Int) async throws -> Measurement {
        let numbers = first..<(first + count)
        first += count
        let changeSets = numbers.map { SampleRow($0, keys: keys).submission }
        return try await Load(store: store, callers: callers).run(changeSets[...])
    }

    private func openCopy(_ directory: String) throws -> Store {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: small, toPath: directory + "/store.sqlite")
        return try BenchmarkStore.open(directory)
    }

    private struct Turn: Encodable {
        let turn: Int
        let store: String
        let report: Measurement.Report
    }
}
