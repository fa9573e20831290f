import ArgumentParser
import Aviary

/// Stores the sample data in a directory that is to be kept.
struct FillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "fill", abstract: "Store the sample library.")

    @OptionGroup var location: DataOption

    func run() async throws {
        try await Library.withStore(data: location.path, as: "fill") { store in
            _ = try await store.submit(Library().sampleChanges)
        }
    }
}
