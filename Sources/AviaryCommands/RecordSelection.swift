import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The arguments that select the records to delete or update, and the question before.
struct RecordSelection: ParsableArguments {
    @Argument(help: "The model, such as Animal.")
    var model: String

    @Option(
        help: ArgumentHelp(
            "The records of a list whose address ends in this query, such as filter.diet=herbivorous.",
            valueName: "query"))
    var query: String?

    @Flag(help: "All records of the model, instead of --query.")
    var all = false

    @Flag(help: "Count what would change and change nothing.")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Print a report as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws {
        guard (query != nil) != all else { throw ValidationError("Add either --query or --all.") }
        guard dryRun || yes || isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("No terminal for the confirmation. Add --yes, or --dry-run to change nothing.")
        }
    }

    /// Runs a closure with the records.
    ///
    /// - Throws: ``MissingStoreError``; the error of the closure.
    func withRecords(
        of app: AppDefinition, _ body: (CommandRecords, DependencyContainer) async throws -> Void
    ) async throws {
        let schema = try app.schema.model(forArgument: model)
        let conditions = try query.map { try ListQueryArgument($0, of: schema, in: app).conditions } ?? []
        let store = try location.store
        guard try store.hasStore() else {
            try location.checkExists()
            throw MissingStoreError()
        }
        try await DependencyContainer.attached(to: store, of: app) { container in
            guard let records = CommandRecords(of: schema, matching: conditions, in: container) else {
                throw ValidationError("The admin has no list of \(schema.name).")
            }
            try await body(records, container)
        }
    }

    /// Asks whether to go on.
    ///
    /// - Parameter question: The question, such as `Delete 3 animals?`.
    func confirms(_ question: String) -> Bool {
        guard !yes else { return true }
        Terminal.printLine("\(question) Enter yes to continue:")
        return TerminalInput.line() == "yes"
    }

    /// The option with the data directory, for a command to enter next.
    var dataFlag: String { location.given.map { " " + $0.shellQuoted }.joined() }
}

/// The log of a command that changed many records: who did what, to how many, and for how long.
///
/// A terminal already shows the same sentence, so the line is only for a log.
struct BulkChangeLog {
    let app: AppDefinition
    let begin = ContinuousClock.now

    /// The time since the command began to store, in milliseconds.
    var milliseconds: Int { Int((ContinuousClock.now - begin) / .milliseconds(1)) }

    func note(_ action: String, of model: ModelSchema, _ figures: [String: Int]) {
        guard isatty(STDERR_FILENO) != 1 else { return }
        DependencyContainer.note(
            "records were changed by a command", of: app,
            ["account": CommandAuthor.name, "action": action, "model": model.name].merging(
                figures.merging(["milliseconds": milliseconds]) { own, _ in own }.mapValues { "\($0)" }
            ) { own, _ in own })
    }
}
