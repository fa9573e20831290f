import ArgumentParser
import AviaryAdmin
import AviaryDomain
import AviaryRuntime
import Foundation

struct MigrateCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate", abstract: "Change the store's file to match the program's models.",
            discussion: """
                Starting a server does the same. New models and new properties that are optional or have a default are added \
                beside running workers. These changes need the workers to end first: a property that is renamed, gets a wider \
                type, or becomes unique, repeatable or optional; an enum with more cases; the stages of the program's migration \
                plan. Before existing values are rewritten, the file is copied to snapshots/before-migration-TIME.sqlite; the \
                last three copies are kept. A change that would lose values is refused unless --drop names it.
                """
        )
    }

    @Flag(help: "Report what would be done and change nothing. Works beside a running server.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Delete a model, a property or a relation with all its values: Friend, Animal.legs; can be repeated.",
            valueName: "name"))
    var drop: [String] = []

    @Flag(help: "Do not copy the file first, for example when the disk is too small.")
    var withoutCopy = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func run() async throws {
        let app = try AppDefinition(App.self)
        guard FileManager.default.fileExists(atPath: location.path) else {
            throw DataDirectoryError(
                path: location.path, reason: "does not exist.", advice: "Name the data directory with --data."
            )
        }
        let report = try DependencyContainer.migrationReport(of: app, data: location.path, dropping: Set(drop))
        if let mistake = report.mistake { throw ValidationError(mistake) }
        if dryRun {
            try printReport(report)
            if report.change == .refused { throw ExitCode.failure }
            return
        }
        try checkThatNobodyServes()
        guard report.change != .refused else {
            try printReport(report)
            throw ExitCode.failure
        }
        if report.change != .none {
            try await DependencyContainer.migrate(
                app, data: location.path, dropping: Set(drop), copiesStore: !withoutCopy
            )
        }
        if json { return try printReport(report) }
        Terminal.printLine(
            report.steps.isEmpty ? report.text : "Done:\n" + report.steps.map { "  - \($0)" }.joined(separator: "\n"))
    }

    private func checkThatNobodyServes() throws {
        guard ServerDirectory.hasStore(at: location.path),
            let processes = try ServerDirectory(path: location.path).statusFile.read()
        else { return }
        Terminal.printLine(
            "A server runs on \(location.path), and migrates the store when it starts this program: put the program in "
                + "the place of the old one, then send SIGHUP: kill -HUP \(processes.supervisor). Nothing was changed."
        )
        throw ExitCode.failure
    }

    private func printReport(_ report: MigrationReport) throws {
        print(json ? try report.json : report.text.printableLines)
    }
}
