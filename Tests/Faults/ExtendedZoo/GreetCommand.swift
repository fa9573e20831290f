import ArgumentParser
import Aviary

/// A command of the application's own.
struct GreetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "greet", abstract: "Greet somebody.")

    @Argument var name: String
    @OptionGroup var location: DataOption

    func run() async throws {
        print("Hello, \(name), from \(location.path).")
    }
}
