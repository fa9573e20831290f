import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

struct CheckCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Check the data directory, the settings or the contents of the store.",
            discussion: """
                The command changes nothing and can run beside a server. With --deploy it also checks the settings that serve \
                would use with the same flags and the same environment. The exit code is 1 when a finding is a danger.

                With --contents it reads the whole store: it counts records and compares totals, text indexes, links and the \
                history with the records. Others are not delayed. The exit code is 1 when there is a difference. The repair \
                command rebuilds everything that is derived from records.
                """
        )
    }

    @Flag(help: "Also check what a deployed server exposes: addresses, accounts, keys, backups.")
    var deploy = false

    @Flag(help: "Compare totals, text indexes, links and history with the records.")
    var contents = false

    @Flag(help: "Print JSON: an array of findings with check, level (ok, warning or danger), text and advice.")
    var json = false

    @Option(help: "The address that serve listens on, 127.0.0.1 by default.")
    var host: String?

    @Option(help: "The separate port for /metrics.")
    var metricsPort: Int?

    @OptionGroup var address: AddressOptions
    @OptionGroup var location: DataOption

    func run() async throws {
        if contents { return try await checkData() }
        let facts = await DeploymentEnvironment(
            of: try AppDefinition(App.self), at: try location.store,
            host: TextSetting(flag: "--host", variable: "AVIARY_HOST").value(host)?.text ?? "127.0.0.1",
            settings: try address.settings,
            metricsPort: try NumberSetting(flag: "--metrics-port", variable: "AVIARY_METRICS_PORT", range: 0...65_535)
                .value(metricsPort)
        )
        let check = DeploymentCheck(facts)
        let findings = check.basics + (deploy ? check.deployment : [])
        print(json ? try findings.json : findings.map(\.words).joined(separator: "\n").printableLines)
        if findings.contains(where: { $0.level == .danger }) { throw ExitCode.failure }
    }
}

extension CheckCommand {
    private func checkData() async throws {
        let app = try AppDefinition(App.self)
        let progress = ProgressLine(writesToOutput: true)
        defer { progress.clear() }
        let report = try await DependencyContainer.checkData(of: app, at: try location.store) { state in
            progress.show(state.words)
        }
        progress.clear()
        print(json ? try report.json : report.words(command: App.commandName, flags: try location.store.flags))
        if report.problemCount > 0 { throw ExitCode.failure }
    }
}

extension DataCheckProgress {
    /// The progress as text: `Checked 500 of 12,000 records and 300 entries of the history`.
    fileprivate var words: String {
        let records =
            expectedRecords.map { "\(TextFormatter.grouped(self.records)) of \(TextFormatter.grouped($0))" } ?? "0"
        return "Checked \(records) records and \(TextFormatter.grouped(entries)) entries of the history…"
    }
}

extension DataCheckReport {
    /// The advice for problems.
    static let advice =
        "Repair rebuilds totals and text indexes. Compare records, links or history entries that don’t match "
        + "with the last good backup: another program may have written to the file."

    func words(command: String, flags: String) -> String {
        let looked =
            "Checked \(TextFormatter.grouped(records)) records and \(TextFormatter.grouped(entries)) entries of the history in "
            + String(format: "%.1f s", seconds)
        guard problemCount > 0 else { return looked + ": totals, text indexes, links and history match." }
        let more = problemCount - problems.count
        var lines = [
            looked + ", and found \(TextFormatter.grouped(problemCount)) \(problemCount == 1 ? "problem" : "problems"):"
        ]
        lines += problems.map { "  " + $0 }
        if more > 0 { lines.append("  and \(TextFormatter.grouped(more)) more") }
        lines.append(
            areAllDerived
                ? "The records are intact. Rebuild the rest: \(command) repair \(flags)" : Self.advice)
        return lines.map(\.printable).joined(separator: "\n")
    }
}

extension Finding {
    fileprivate var words: String {
        let label =
            switch level {
            case .ok: "ok       "
            case .warning: "warning  "
            case .danger: "DANGER   "
            }
        return ([label + text] + (advice.map { ["         " + $0] } ?? [])).joined(separator: "\n")
    }
}

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
        if let database = try location.store.database { throw MissingFileError(database: database.text) }
        guard try location.store.hasStore() else {
            throw DataDirectoryError(
                path: location.path, reason: "contains no store.", advice: "Name the data directory with --data."
            )
        }
        let report = try DependencyContainer.repair(
            try ServerDirectory(locking: location.store), of: app, isDry: dryRun, at: Date())
        print(report.text.printableLines)
        if !report.isComplete { throw ExitCode.failure }
    }
}

/// The error of `repair` for a store that has no file.
private struct MissingFileError: Error, CustomStringConvertible {
    let database: String

    var description: String {
        "repair rebuilds a file, and this store is in \(database). Compare its contents with: check --contents. PostgreSQL repairs "
            + "its own files, or restores them from its own backup. Nothing was changed."
    }
}
