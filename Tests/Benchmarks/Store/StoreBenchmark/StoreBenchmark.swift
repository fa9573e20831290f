import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

/// The number of change sets a second that the store makes durable. `run.py` runs it in turns with a peer written in C.
@main
struct StoreBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what the store does: durable change sets a second, and what asking costs.",
        subcommands: [
            PrepareCommand.self, RowsCommand.self, MeasureCommand.self, GrowthCommand.self, QueryCommand.self,
        ]
    )
}

/// Opens the store as the server does, without lists to sort.
enum BenchmarkStore {
    /// - Parameter database: The address of the database that contains the store; nil for a file in the directory.
    static func open(_ path: String, history: History, database: String? = nil) throws -> Store {
        let policy =
            switch history {
            case .on: HistoryPolicy()
            case .off: HistoryPolicy().excluding(Sample.self)
            }
        let engine: any StoreEngine =
            try database.map { try StoreEngines.database($0, passwordFile: nil, directory: path) }
            ?? StoreEngines.standard
        return try Store(
            directory: DataDirectory(path: path), schema: Schema([Sample.schema]), sortIndexes: [], history: policy,
            engine: engine
        )
    }
}

struct PrepareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare", abstract: "Create an empty store, with the tables that the store itself makes."
    )

    @Argument(help: "The store's directory.")
    var directory: String

    func run() async throws {
        let store = try BenchmarkStore.open(directory, history: .on)
        await store.close()
    }
}

/// Indicates whether the store keeps the history of changes. It keeps who committed and when in any case.
enum History: String, CaseIterable, ExpressibleByArgument {
    case on
    case off
}

/// The position of a new value of the unique column in its index.
enum Keys: String, CaseIterable, ExpressibleByArgument {
    /// Behind all others, as numbers and times do.
    case ordered
    /// Anywhere.
    case random

    /// 16 hexadecimal digits for row number `number`.
    func code(_ number: Int) -> String {
        let value: UInt64 =
            switch self {
            case .ordered: UInt64(number)
            case .random: .random(in: .min ... .max)
            }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

enum JSONLine {
    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(value) + Data("\n".utf8))
    }
}
