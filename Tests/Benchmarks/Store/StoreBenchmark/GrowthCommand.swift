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

    @Option(help: "Whether the store keeps a history: on or off.")
    var history: History = .on

    func run() async throws {
        let largeStore = try BenchmarkStore.open(large, history: history)
        var first = first
        try await wrapLog(of: largeStore)
        // Until the cache holds what a server's would that has run for a while.
        _ = try await add(4 * rows, to: largeStore, from: &first)
        for turn in 1...turns {
            try await measure("large", largeStore, turn, from: &first)
            let copy = copies + "/\(turn)"
            let smallStore = try openCopy(copy)
            try await wrapLog(of: smallStore)
            _ = try await add(rows / 10, to: smallStore, from: &first)
            try await measure("small", smallStore, turn, from: &first)
            await smallStore.close()
            try FileManager.default.removeItem(atPath: copy)
        }
        await largeStore.close()
    }

    private func measure(_ name: String, _ store: Store, _ turn: Int, from first: inout Int) async throws {
        let before = MachineUse.now
        let measurement = try await add(rows, to: store, from: &first)
        let others = before.flatMap { before in MachineUse.now?.others(since: before) } ?? 0
        try JSONLine.print(Turn(turn: turn, store: name, others: others, report: measurement.report))
    }

    private func add(_ count: Int, to store: Store, from first: inout Int) async throws -> Measurement {
        let numbers = first..<(first + count)
        first += count
        let changeSets = numbers.map { SampleRow($0, keys: keys).submission }
        return try await Load(store: store, callers: callers).run(changeSets[...])
    }

    /// A new log grows, which makes every flush dearer, until the first checkpoint lets it begin anew. Discarded drafts
    /// bring it there without a record more.
    private func wrapLog(of store: Store) async throws {
        var pages = 0
        while true {
            try await store.discard(draft: .version7())
            let now = await store.statistics.logPages
            if now < pages { return }
            pages = now
        }
    }

    private func openCopy(_ directory: String) throws -> Store {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: small, toPath: directory + "/store.sqlite")
        return try BenchmarkStore.open(directory, history: history)
    }

    private struct Turn: Encodable {
        let turn: Int
        let store: String
        let others: Double
        let report: Measurement.Report
    }
}
