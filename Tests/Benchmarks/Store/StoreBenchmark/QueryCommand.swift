import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

/// The cost of a query: the translation of a predicate to SQL, and a fetch of 50 rows. Medians, so that a
/// disturbance of the machine counts
/// only when it lasts.
struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Measure a predicate's translation and a fetch's decoding, and print lines of JSON."
    )

    @Argument(help: "A directory for a store, which is made and filled.")
    var directory: String

    @Option(help: "How often each is measured.")
    var turns = 200

    @Option(help: "How often a turn does it.")
    var repetitions = 100

    @Option(help: "How many rows the store has.")
    var rows = 10_000

    func run() async throws {
        let store = try BenchmarkStore.open(directory, history: .off)
        for first in stride(from: 0, to: rows, by: 1000) {
            let changes = (first..<min(first + 1000, rows)).flatMap { SampleRow($0, keys: .ordered).submission.changes }
            _ = try await store.submit(ChangeSet(author: "benchmark", changes: changes))
        }
        let schema = try Schema([Sample.schema])
        let readers = try ReaderPool(directory: DataDirectory(path: directory), schema: schema)
        let records = SQLRecordRepository(model: Sample.schema, schema: schema, readers: readers, writer: store)
        try JSONLine.print(try predicate(records))
        try JSONLine.print(try await fetch(Repository<Sample>(records, author: "benchmark")))
        await store.close()
    }

    /// The step from the predicate's values to the statement's text and parameters.
    private func predicate(_ records: SQLRecordRepository) throws -> Line {
        let text = "Sample", least = 100, names = ["a", "b", "c"]
        return try median("predicate", of: 1) {
            let predicate = #Predicate<Sample> {
                $0.amount >= least && $0.name.starts(with: text) || names.contains($0.code)
            }
            let query = try FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]).query()
            return try records.statement(for: query).count
        }
    }

    /// The step from the descriptor to the Swift values, which includes the engine's work.
    private func fetch(_ samples: Repository<Sample>) async throws -> Line {
        var descriptor = FetchDescriptor<Sample>()
        descriptor.fetchLimit = 50
        var times: [Double] = []
        for _ in 0..<turns {
            let began = ContinuousClock.now
            for _ in 0..<repetitions {
                guard try await samples.fetch(descriptor).count == min(50, rows) else { throw ExitCode.failure }
            }
            times.append((ContinuousClock.now - began).seconds / Double(repetitions))
        }
        return Line("fetch", times, of: min(50, rows))
    }

    private func median(_ name: String, of count: Int, _ body: () throws -> Int) throws -> Line {
        var times: [Double] = []
        for _ in 0..<turns {
            let began = ContinuousClock.now
            for _ in 0..<repetitions { guard try body() > 0 else { throw ExitCode.failure } }
            times.append((ContinuousClock.now - began).seconds / Double(repetitions))
        }
        return Line(name, times, of: count)
    }

    private struct Line: Encodable {
        let measure: String
        let medianMicroseconds: Double
        let lowestMicroseconds: Double
        let rowsPerSecond: Double

        init(_ measure: String, _ seconds: [Double], of count: Int) {
            let sorted = seconds.sorted()
            let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
            self.measure = measure
            medianMicroseconds = median * 1e6
            lowestMicroseconds = (sorted.first ?? 0) * 1e6
            rowsPerSecond = median > 0 ? Double(count) / median : 0
        }
    }
}
