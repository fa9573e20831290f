import ArgumentParser
import AviaryDomain

struct VerifyCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify", abstract: "Check that a snapshot is complete and can be restored.",
            discussion:
                "Changes nothing. An account whose role the program does not have causes a warning: it could sign in and do nothing."
        )
    }

    @Argument(help: ArgumentHelp("The snapshot; - reads standard input.", valueName: "file"))
    var file: String

    @Flag(help: "Restore it into a temporary store and compare.")
    var prove = false

    @Flag(help: "Print its contents as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Accept a snapshot of an application with this name, such as this one before it was renamed.",
            valueName: "name"))
    var fromApp: String?

    @OptionGroup var location: DataOption

    func run() async throws {
        let app = try AppDefinition(App.self)
        let progress = ProgressLine(writesToOutput: false)
        defer { progress.clear() }
        let snapshots = DependencyContainer.snapshots(
            of: app, accepting: fromApp, data: location.path, progress: progress)
        let path = CommandInput.path(file)
        let summary = prove ? try await snapshots.prove(path).snapshot : try await snapshots.verify(path)
        progress.clear()
        if json { print(try summary.json) }
        let name = file == "-" ? "The snapshot" : file, trial = prove ? " and was restored for a trial" : ""
        Terminal.say("\(name) is good\(trial): \(summary.words(app.schema)), from \(summary.createdAt).")
        Terminal.warn(summary.warnings)
    }
}
