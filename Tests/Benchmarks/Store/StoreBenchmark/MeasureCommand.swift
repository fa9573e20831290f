import ArgumentParser
import AviaryData
import AviaryDomain

struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Store rows, a change set each, and print a line of JSON."
    )

    @Argument(help: "The store's directory.")
    var directory: String

    @Option(help: "A file of rows.")
    var rows: String

    @Option(help: "How many submit at the same time.")
    var callers = 64

    @Option(help: "Whether the store keeps a history: on or off.")
    var history: History = .on

    func run() async throws {
        let store = try BenchmarkStore.open(directory, history: history)
        // Made before the clock starts, as the peer reads its rows before.
        let changeSets = try RowFile.read(rows).map(\.submission)
        let measurement = try await Load(store: store, callers: callers).run(changeSets[...])
        await store.close()
        try JSONLine.print(measurement.report)
    }
}
