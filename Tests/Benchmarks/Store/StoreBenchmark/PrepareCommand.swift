import ArgumentParser
import AviaryData

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
