import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The command that gives properties of the records that match a query new values, with or without a running server.
struct UpdateCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "update", abstract: "Change properties of the records that match a query.",
            discussion: """
                The query is the part of a list’s address after the question mark, such as q=emu or filter.diet=herbivorous. \
                Write values as in an import file: the title or ID of a record for a reference, and nothing to remove a value. \
                The command checks all records first and stores nothing unless all of them can be changed. It then stores \
                commits of 500 records and prints the command that undoes all of them. Ctrl-C stops between two commits.

                  \(App.commandName) update Animal --query 'filter.diet=herbivorous' --set category=Birds --dry-run
                  \(App.commandName) update Animal --query 'q=emu' --set diet=omnivorous --set category= --yes
                """
        )
    }

    @OptionGroup var selection: RecordSelection

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A property and its new value; can be repeated.", valueName: "property=value"))
    var constants: [String] = []

    func validate() throws {
        guard !constants.isEmpty else { throw ValidationError("Add --set with a property and a value.") }
        _ = try parsed
    }

    private var parsed: [FieldConstant] {
        get throws {
            try constants.map { text in
                do {
                    return try FieldConstant(parsing: text)
                } catch {
                    throw ValidationError("--set: Write a property and a value, such as diet=herbivorous.")
                }
            }
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let checkSignals = DependencyContainer.signalCheck()
        try await selection.withRecords(of: app) { records, container in
            let progress = ProgressLine(writesToOutput: selection.json)
            defer { progress.clear() }
            let model = records.model
            let update: RecordUpdate
            do {
                update = try await RecordUpdate(
                    parsed, of: model, in: app.schema, lookUp: StoredRecords(container: container))
            } catch let error as ImportError {
                throw ValidationError("--set: \(error)")
            }
            let ids = try await records.identifiers { count in
                try checkSignals()
                progress.show("Found \(model.counted(count))")
            }
            if ids.count > 1, let property = update.uniqueProperties.first {
                throw ValidationError("--set: \(property) is unique, so that only one record can have a value.")
            }
            let (plan, changed) = try await records.plan(update, of: ids) { count in
                try checkSignals()
                progress.show("Checked \(TextFormatter.grouped(count)) of \(model.counted(ids.count))")
            }
            progress.clear()
            var report = UpdateReport(
                dryRun: selection.dryRun, model: model.name, matched: ids.count, unchanged: plan.unchanged,
                problems: plan.problems)
            for line in report.lines(model, changed: changed) { Terminal.printLine(line) }
            guard plan.problems.isEmpty else {
                if selection.json { print(try report.json) }
                throw NothingUpdated()
            }
            if selection.dryRun { report.changed = changed }
            guard changed > 0, !selection.dryRun, selection.confirms("Change \(model.counted(changed))?") else {
                if selection.json { print(try report.json) }
                return Terminal.printLine("Nothing was changed.")
            }
            try await store(update, of: ids, changing: changed, records, in: container, app, &report) { stored in
                try checkSignals()
                progress.show("Stored \(TextFormatter.grouped(stored.examined)) of \(model.counted(ids.count))")
            }
        }
    }

    private func store(
        _ update: RecordUpdate, of ids: [UUID], changing count: Int, _ records: CommandRecords,
        in container: DependencyContainer, _ app: AppDefinition, _ report: inout UpdateReport,
        check: @escaping @Sendable (CommandRecords.StoredUpdate) throws -> Void
    ) async throws {
        let series = ChangeSetSeries(.version7()), log = BulkChangeLog(app: app)
        // The event comes first, so that Activity shows the commits as one entry, however the command ends.
        await container.noteEvent(.recordUpdate, id: series.id, of: records.model, count: count) {
            Terminal.printLine("Warning: the audit log has no entry for this update: \($0)")
        }
        var stored = CommandRecords.StoredUpdate(), failure: (any Error)?
        do {
            try await records.update(update, of: ids, as: series, stored: &stored, report: check)
        } catch {
            failure = error
        }
        let undo: String? =
            switch stored.commits.count {
            case 0: nil
            case 1: stored.commits.first.map { "\($0)" }
            default: series.id.canonicalText
            }
        report.note(stored, undo: undo, milliseconds: log.milliseconds)
        log.note(
            "update", of: records.model, ["records": stored.changed, "commits": stored.commits.count])
        if selection.json { print(try report.json) }
        let words = records.model.counted(stored.changed)
        if failure == nil {
            Terminal.printLine("Changed \(words).")
        } else if undo == nil {
            Terminal.printLine("Nothing was changed.")
        } else {
            Terminal.printLine("Changed \(words), and not the others. The same command continues.")
        }
        if let undo {
            Terminal.printLine("To undo it: \(App.commandName) undo \(undo)\(selection.dataFlag) --yes")
        }
        if let failure { throw failure }
    }
}

/// The result of `update`, for `--json`.
struct UpdateReport: Encodable {
    let dryRun: Bool
    let model: String
    let matched: Int
    /// The number of changed records; with `--dry-run`, of those that would change.
    var changed = 0
    /// The number of records that had the values already.
    private(set) var unchanged: Int
    let problems: [RecordUpdate.Problem]
    private(set) var commits: [Int64] = []
    /// The argument for `undo` that undoes all of it; nil when nothing was changed.
    private(set) var undo: String?
    private(set) var milliseconds: Int?

    init(dryRun: Bool, model: String, matched: Int, unchanged: Int, problems: [RecordUpdate.Problem]) {
        self.dryRun = dryRun
        self.model = model
        self.matched = matched
        self.unchanged = unchanged
        self.problems = problems
    }

    mutating func note(_ stored: CommandRecords.StoredUpdate, undo: String?, milliseconds: Int) {
        changed = stored.changed
        unchanged = stored.unchanged
        commits = stored.commits
        self.undo = undo
        self.milliseconds = milliseconds
    }

    /// Returns the counts, and a line for each problem.
    func lines(_ model: ModelSchema, changed: Int) -> [String] {
        guard matched > 0 else { return ["No \(model.pluralName) match."] }
        let others = unchanged > 0 ? "; \(TextFormatter.grouped(unchanged)) have the values already" : ""
        return ["Matching: \(model.counted(matched))\(others)."]
            + problems.map { problem in
                "\(model.counted(problem.count)), such as \(problem.first.canonicalText): \(problem.message)"
            }
    }
}

private struct NothingUpdated: Error, CustomStringConvertible {
    let description = "Nothing was changed, because not all of the records can have the values."
}
