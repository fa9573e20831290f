import ArgumentParser
import AviaryDomain
import Foundation

struct RestoreCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "restore", abstract: "Put a snapshot in place of everything in the store, all or nothing.",
            discussion: """
                The snapshot is verified first, and a snapshot of what is replaced is kept in the data directory's \
                snapshots. Works with or without a running server.
                """
        )
    }

    @Argument(help: ArgumentHelp("The snapshot.", valueName: "file"))
    var file: String

    @Flag(help: "Check everything and change nothing.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var location: DataOption

    func validate() throws {
        guard dryRun || yes || isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("There is no terminal to confirm on. Give --yes to replace everything in \(location.path).")
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        // Asked first: from then on signals only end the work.
        guard dryRun || yes || isConfirmed() else {
            Terminal.say("Nothing was changed.")
            throw ExitCode.failure
        }
        let snapshots = DependencyContainer.snapshots(of: app, data: location.path)
        if dryRun {
            let summary = try await snapshots.verify(file)
            Terminal.say("Would restore \(summary.words(app.schema)), from \(summary.createdAt). Nothing was changed.")
            return
        }
        let restored = try await snapshots.restore(from: file)
        Terminal.say("Restored \(restored.snapshot.words(app.schema)); the store is now at commit \(restored.commit).")
        if let path = restored.replaced?.path { Terminal.say("What was replaced is kept in \(path).") }
        await AuditLog(app: app, dataPath: location.path).record(.restore, about: restored.snapshot.fileName)
    }

    private func isConfirmed() -> Bool {
        Terminal.say("This replaces everything in \(location.path) by the contents of \(file). Write yes to go on:")
        return readLine() == "yes"
    }
}
