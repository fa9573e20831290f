import ArgumentParser
import AviaryDomain
import Foundation

struct RepairCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "repair", abstract: "Rebuild a damaged file and all derived data.",
            discussion: """
                Rebuilds the store's file from what can be read of it, with all indexes, text indexes, links and totals. \
                Records that cannot be read are restored from the history of changes where it contains them; the others are \
                named. The old file stays beside the snapshots as before-repair-TIME.sqlite. No server may run on the \
                directory. Take a backup first: it reads the same records. The exit code is 1 when something is lost.
                """
        )
    }

    @Flag(help: "Report what would be done and change nothing.")
    var dryRun = false

    @OptionGroup var location: DataOption

    func run() async throws {
        let app = try AppDefinition(App.self)
        guard ServedDirectory.hasStore(at: location.path) else {
            throw DataDirectoryError(
                path: location.path, reason: "has no store.", advice: "Name the data directory with --data."
            )
        }
        let report = try DependencyContainer.repair(
            try ServedDirectory(locking: location.path), of: app, isDry: dryRun, at: Date())
        print(report.text.printableLines)
        if !report.isComplete { throw ExitCode.failure }
    }
}
