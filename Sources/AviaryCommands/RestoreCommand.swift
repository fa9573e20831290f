import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

struct RestoreCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "restore", abstract: "Replace the whole store with a snapshot.",
            discussion: """
                The command verifies the snapshot first and keeps a snapshot of what it replaces in the data directory's \
                snapshots folder. Of those that earlier restores kept, the newest and all of the last day remain. Works with or \
                without a running server.
                """
        )
    }

    @Argument(help: ArgumentHelp("The snapshot; - reads standard input.", valueName: "file"))
    var file: String

    @Flag(help: "Check everything and change nothing.")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "With --dry-run, print the report as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp(
            """
            The number of snapshots of replaced stores to keep, \(BackupRetention.standardReplaced) by default, and all of the \
            last day.
            """,
            valueName: "n"
        ))
    var keepReplaced = BackupRetention.standardReplaced

    @Option(
        help: ArgumentHelp(
            "Accept a snapshot of an application with this name, such as this one before it was renamed.",
            valueName: "name"))
    var fromApp: String?

    @OptionGroup var location: DataOption

    func validate() throws {
        guard keepReplaced >= 1 else {
            throw ValidationError("--keep-replaced takes a number from 1. The newest is always kept.")
        }
        if json, !dryRun { throw ValidationError("--json needs --dry-run.") }
        guard dryRun || yes || isatty(STDIN_FILENO) == 1 else {
            throw ValidationError(
                "No terminal for the confirmation. Add --yes to replace all data in \(try location.store.name).")
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let progress = ProgressLine(writesToOutput: false)
        defer { progress.clear() }
        let snapshots = DependencyContainer.snapshots(
            of: app, accepting: fromApp, at: try location.store, keepingReplaced: keepReplaced
        ) { progress.show($0) }
        // A dry run does not create the directory.
        if try dryRun && !location.store.hasStore() {
            let summary = try await snapshots.verify(CommandInput.path(file))
            progress.clear()
            let contents = "\(summary.words(app.schema)), from \(summary.createdAt)"
            Terminal.printLine("Would restore \(contents), into a new store. Nothing was changed.")
            return Terminal.warn(summary.warnings)
        }
        let question = Question(
            file: file, store: try location.store.name, schema: app.schema, isDryRun: dryRun, isConfirmed: yes,
            writesJSON: json
        )
        let restored = try await snapshots.restore(from: CommandInput.path(file)) { plan in
            progress.clear()
            return try question.isWanted(plan)
        }
        progress.clear()
        guard let restored else {
            Terminal.printLine("Nothing was changed.")
            if dryRun { return }
            throw ExitCode.failure
        }
        Terminal.printLine(
            "Restored \(restored.snapshot.words(app.schema)); the store is now at commit \(restored.commit).")
        if let path = restored.replaced?.path { Terminal.printLine("The previous data is kept in \(path).") }
        if let reason = restored.unsaved {
            Terminal.warn(["the last changes of the previous data are not in a snapshot yet, and are kept: " + reason])
        }
        if !restored.removed.isEmpty {
            let names = TextFormatter.list(restored.removed)
            Terminal.printLine(
                "Removed data kept by earlier restores (\(TextFormatter.grouped(restored.removed.count))): \(names)."
            )
        }
        Terminal.warn(restored.notRemoved.map { "couldn’t remove data kept by an earlier restore: " + $0 })
        await AuditLog(app: app, location: try location.store).record(.restore, about: restored.snapshot.fileName)
    }

    /// The confirmation before anything changes.
    private struct Question {
        let file: String
        let store: String
        let schema: Schema
        let isDryRun: Bool
        let isConfirmed: Bool
        let writesJSON: Bool

        func isWanted(_ plan: RestorePlan) throws -> Bool {
            if writesJSON { print(try plan.json) }
            Terminal.printLine(RestorePlanText(plan, schema: schema, isDone: isConfirmed && !isDryRun).text)
            guard !isDryRun, !isConfirmed else { return !isDryRun }
            Terminal.printLine("This replaces all data in \(store) with \(file). Enter yes to continue:")
            return TerminalInput.line() == "yes"
        }
    }
}

/// The changes of a restore, as text for a terminal.
struct RestorePlanText {
    let text: String

    /// Creates the text of a plan.
    ///
    /// - Parameter isDone: Whether the restore runs without confirmation.
    init(_ plan: RestorePlan, schema: Schema, isDone: Bool) {
        var lines = [
            "\(isDone ? "Restoring" : "Would restore") \(plan.snapshot.words(schema)), from \(plan.snapshot.createdAt)."
        ]
        for model in plan.models {
            let name = schema.model(model.name)?.pluralTitle ?? model.name
            let now = model.now.map { "\(TextFormatter.grouped($0)) now, " } ?? ""
            lines.append("  \(name): \(now)\(TextFormatter.grouped(model.then)) then")
        }
        if !plan.steps.isEmpty {
            lines.append("Its records will be migrated to this version:")
            lines += plan.steps.map { "  " + $0 }
        }
        if !plan.accounts.isEmpty {
            lines.append("Accounts:")
            lines += plan.accounts.map { "  \($0.words)" }
        }
        if plan.models.contains(where: { $0.now != nil }) {
            lines.append(
                plan.snapshot.log?.entries == nil
                    ? "It doesn’t contain the history. Activity starts empty, and earlier changes can’t be undone."
                    : "It contains the history. Activity continues from there."
            )
        }
        // Each line is escaped separately, so that no text can imitate a second line.
        text = lines.map(\.printable).joined(separator: "\n")
    }
}

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
        let snapshots = DependencyContainer.snapshots(of: app, accepting: fromApp, at: try location.store) {
            progress.show($0)
        }
        let path = CommandInput.path(file)
        let summary = prove ? try await snapshots.prove(path).snapshot : try await snapshots.verify(path)
        progress.clear()
        if json { print(try summary.json) }
        let name = file == "-" ? "The snapshot" : file, trial = prove ? " and passed the restore test" : ""
        Terminal.printLine("\(name) is good\(trial): \(summary.words(app.schema)), from \(summary.createdAt).")
        Terminal.warn(summary.warnings)
    }
}
