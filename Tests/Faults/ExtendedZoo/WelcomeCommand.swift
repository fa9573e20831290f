import ArgumentParser
import Aviary

/// A command that writes to the store, whether a server runs or not.
struct WelcomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "welcome", abstract: "Take in an animal.")

    @Argument var name: String
    @OptionGroup var location: DataOption

    func run() async throws {
        let count = try await ExtendedZoo.withStore(data: location.path, as: "gate") { store in
            let animals = try await store.repository(for: Animal.self)
            try await animals.insert(Animal(name: name))
            return try await animals.fetchCount(FetchDescriptor<Animal>())
        }
        print(count)
    }
}
