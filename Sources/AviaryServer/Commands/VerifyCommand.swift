import ArgumentParser
import AviaryDomain

struct VerifyCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify", abstract: "Check that a snapshot is complete and can be restored; changes nothing."
        )
    }

    @Argument(help: ArgumentHelp("The snapshot.", valueName: "file"))
    var file: String

    @Flag(help: "Print what it holds as JSON.")
    var json = false

    func run() async throws {
        let app = try AppDefinition(App.self)
        let summary = try await DependencyContainer.snapshots(of: app, data: ".").verify(file)
        if json { try print(summary.json) }
        Terminal.say("\(file) is good: \(summary.words(app.schema)), from \(summary.createdAt).")
    }
}
