import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The command for the history of changes.
struct HistoryCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "history", abstract: "Remove old entries of the history.",
            subcommands: [HistoryTrimCommand<App>.self]
        )
    }
}

struct HistoryTrimCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "trim", abstract: "Remove the oldest entries of the history.",
            discussion: """
                Without --yes the command only counts the entries. What is removed can no longer be undone or looked up in \
                Activity; records stay as they are. No server may serve the directory. The file keeps its size and reuses \
                the space. To remove old entries all the time, serve with --history-age or --history-size.

                  \(App.commandName) history trim --older-than 90
                  \(App.commandName) history trim --keep 100000 --yes
                """
        )
    }

    @Option(help: ArgumentHelp("Remove the entries that are older than this number of days.", valueName: "days"))
    var olderThan: Int?

    @Option(help: ArgumentHelp("Keep this number of the newest entries, and whole commits.", valueName: "n"))
    var keep: Int?

    @Flag(help: "Remove the entries. Without it, nothing is changed.")
    var yes = false

    @Flag(help: "Print a report as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws { _ = try bound }

    private var bound: HistoryBound {
        get throws {
            switch (olderThan, keep) {
            case (let days?, nil):
                guard (1...36_600).contains(days) else {
                    throw ValidationError("--older-than takes a number of days from 1 to 36600.")
                }
                return .age(.seconds(days * 86_400))
            case (nil, let count?):
                guard count >= 0, count < Int(Int32.max) else {
                    throw ValidationError("--keep takes a number of entries from 0.")
                }
                return .entries(count)
            default: throw ValidationError("Add either --older-than or --keep.")
            }
        }
    }

    func run() async throws {
        try location.checkExists()
        guard try location.store.hasStore() else { throw MissingStoreError() }
        let report = try await DependencyContainer.trimHistory(
            of: try AppDefinition(App.self), at: try location.store, to: try bound, isDryRun: !yes)
        if json { print(try report.json) }
        func entries(_ count: Int) -> String { "\(TextFormatter.grouped(count)) \(count == 1 ? "entry" : "entries")" }
        let commit = report.lastCommit.map { " up to commit \($0)" } ?? ""
        Terminal.printLine(
            "\(yes ? "Removed" : "Would remove") \(entries(report.removed))\(commit); \(entries(report.kept)) \(yes ? "remain" : "would remain")."
        )
        if !yes, report.removed > 0 { Terminal.printLine("Nothing was changed. Add --yes to remove them.") }
    }
}
