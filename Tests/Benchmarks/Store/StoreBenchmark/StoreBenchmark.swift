import ArgumentParser

/// How many change sets a second the store makes durable. `run.py` runs it in turns with a peer written in C.
@main
struct StoreBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what the store does: durable change sets a second, and what asking costs.",
        subcommands: [
            PrepareCommand.self, RowsCommand.self, MeasureCommand.self, GrowthCommand.self, QueryCommand.self,
        ]
    )
}
