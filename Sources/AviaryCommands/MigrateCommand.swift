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
                last three copies are kept. A change that would lose values is refused unless --drop names it. Beside a \
                running server, --drop needs --on-deploy: it changes nothing itself, and permits the server's next deploy, \
                within an hour, to delete what --drop names.
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

    @Flag(help: "Let the next deploy of the running server, within an hour, delete what --drop names.")
    var onDeploy = false

    @Flag(help: "Do not copy the file first, for example when the disk is too small.")
    var withoutCopy = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws {
        guard onDeploy else { return }
        if drop.isEmpty { throw ValidationError("--on-deploy needs --drop: name what the deploy may delete.") }
        if dryRun { throw ValidationError("--on-deploy and --dry-run exclude each other. Leave one out.") }
        if withoutCopy {
            throw ValidationError("--on-deploy and --without-copy exclude each other: a deploy copies the file first.")
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        try location.checkExists()
        let report = try DependencyContainer.migrationReport(of: app, at: try location.store, dropping: Set(drop))
        if let mistake = report.mistake { throw ValidationError(mistake) }
        if dryRun {
            try printReport(report)
            if report.change == .refused { throw ExitCode.failure }
            return
        }
        if onDeploy { return try approveDrops(report) }
        try checkThatNobodyServes()
        guard report.change != .refused else {
            try printReport(report)
            throw ExitCode.failure
        }
        if report.change != .none {
            try await DependencyContainer.migrate(
                app, at: try location.store, dropping: Set(drop), copiesStore: !withoutCopy
            )
        }
        if json { return try printReport(report) }
        Terminal.printLine(
            report.steps.isEmpty ? report.text : "Done:\n" + report.steps.map { "  - \($0)" }.joined(separator: "\n"))
    }

    /// The supervisor of the server that runs on the directory; nil when none runs.
    private var server: ProcessStatus? {
        get throws {
            guard FileManager.default.fileExists(atPath: location.path) else { return nil }
            return try ServerDirectory(location.store).statusFile.read()
        }
    }

    /// Permits the next deploy of the running server to drop the names.
    private func approveDrops(_ report: MigrationReport) throws {
        guard let server = try server else {
            Terminal.printLine(
                "No server runs on \(location.path): run the command without --on-deploy. Nothing was changed.")
            throw ExitCode.failure
        }
        guard report.change != .refused else {
            try printReport(report)
            throw ExitCode.failure
        }
        try ApprovedDrops.approve(Set(drop), in: location.path)
        if json { return try printReport(report) }
        Terminal.printLine(
            "A deploy within an hour deletes \(TextFormatter.list(drop)) with all values, once a copy of the file is in snapshots. "
                + "Put this program in the place of the old one, then send SIGHUP: kill -HUP \(server.supervisor). To take the "
                + "permission back, delete \(ApprovedDrops.path(in: location.path)). Nothing was changed yet.")
    }

    private func checkThatNobodyServes() throws {
        guard let server = try server else { return }
        let reload = "put the program in the place of the old one, then send SIGHUP: kill -HUP \(server.supervisor)."
        guard drop.isEmpty else {
            let options = drop.map { "--drop \($0)" }.joined(separator: " ")
            Terminal.printLine(
                "A server runs on \(location.path), and only its deploy can change the store. Let the deploy delete what --drop "
                    + "names: run \(App.commandName) migrate \(options) --on-deploy \(try location.store.flags), \(reload) Or stop "
                    + "the server, run this command again, and start the new program. Nothing was changed.")
            throw ExitCode.failure
        }
        Terminal.printLine(
            "A server runs on \(location.path), and migrates the store when it starts this program: \(reload) Nothing was "
                + "changed.")
        throw ExitCode.failure
    }

    private func printReport(_ report: MigrationReport) throws {
        print(json ? try report.json : report.text.printableLines)
    }
}
