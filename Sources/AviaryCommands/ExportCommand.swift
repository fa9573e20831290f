import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

struct ExportCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export", abstract: "Export the records of a model, the history of changes, or the events.",
            discussion: """
                The export has the records of one moment, in the order of their ids unless --query says otherwise. Import reads \
                its CSV back as the same values. Secrets are not exported. A file is written from the store itself; for \
                standard output the store is copied first, which needs as much space in the data directory.

                  \(App.commandName) export Animal --output animals.csv
                  \(App.commandName) export animals --query 'filter.diet=herbivorous&sort=-name'
                  \(App.commandName) export animal-categories --format jsonl | jq .name
                  \(App.commandName) export Animal --since 17 --format jsonl --output after-17.jsonl

                With --since and the commit that the last export printed, only the records are written that were added, \
                changed or linked since, and in JSON lines those that were deleted, as {"id": …, "deleted": true, "commit": …}.

                --history writes the entries of the history that are kept, oldest first: in CSV a line for each property that changed, in \
                JSON lines an object for each entry. Of a secret it says that it changed, and not to what. --events writes what is told \
                of sign-ins, exports, backups and the like.

                  \(App.commandName) export --history Animal --since 2026-11-01 --until 2026-12-01 --output november.csv
                  \(App.commandName) export --history --since 17 --output after-17.jsonl.gz --format jsonl
                  \(App.commandName) export --events --account ada --format jsonl
                """
        )
    }

    @Argument(help: "The model, such as Animal. With --history only its entries, and all unless given.")
    var model: String?

    @Flag(help: "Write the history of changes.")
    var history = false

    @Flag(help: "Write the events of the audit log.")
    var events = false

    @Option(help: ArgumentHelp("Of the history or the events only those of this account.", valueName: "name"))
    var account: String?

    @Option(
        help: ArgumentHelp(
            """
            Of the history or the events only those from then on: a day, as 2026-11-01, or a time, as 2026-11-01T08:30:00Z. Of \
            records and the history also a commit, such as 17, for what changed after it.
            """,
            valueName: "time|commit"))
    var since: String?

    @Option(help: ArgumentHelp("Of the history or the events only those before.", valueName: "time"))
    var until: String?

    @Option(help: "csv, or jsonl for one JSON object a line.")
    var format: ExportFormat = .csv

    @Option(
        help: ArgumentHelp(
            "The file to write, compressed if its name ends in .gz; - is standard output.", valueName: "file"))
    var output: String = "-"

    @Option(
        help: ArgumentHelp(
            "The records of a list whose address ends in this query, in its order.",
            valueName: "query"
        ))
    var query: String?

    @Flag(help: "Print a report as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    private var destination: ExportDestination { output == "-" ? .standardOutput : .file(output) }

    func validate() throws {
        if history, events { throw ValidationError("--history and --events are separate exports. Use only one.") }
        if events, model != nil { throw ValidationError("--events has no model. Remove \(model ?? "it") out.") }
        if !history, !events {
            if model == nil { throw ValidationError("Add a model, --history or --events.") }
            if account != nil || since != nil && sinceCommit == nil || until != nil {
                throw ValidationError(
                    "--account, --until and --since with a time need --history or --events.")
            }
            if since != nil, query != nil {
                throw ValidationError("--since and --query can’t be combined. Records leave a list when they change.")
            }
        }
        if history || events, query != nil {
            throw ValidationError("--query only filters the records of a model. Use --account, --since or --until.")
        }
        if events, sinceCommit != nil { throw ValidationError("--since with a commit is for records or --history.") }
        _ = try (sinceMoment, moment(until, "--until"))
        if json, destination == .standardOutput {
            throw ValidationError(
                "--json and the records would both be written to standard output. Add --output with a file name.")
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let model = try model.map { try app.schema.model(forArgument: $0) }
        // With SIGPIPE ignored, a reader that closes early is an error of the write, and temporary files are
        // removed.
        signal(SIGPIPE, SIG_IGN)
        let progress = ProgressLine(writesToOutput: destination == .standardOutput)
        defer { progress.clear() }
        let exports = DependencyContainer.exports(of: app, at: try location.store)
        let summary: ExportSummary, counted: @Sendable (Int) -> String
        if history {
            counted = { "\(TextFormatter.grouped($0)) \($0 == 1 ? "entry" : "entries") of the history" }
            let wanted = HistoryExportQuery(
                model: model?.name, account: account, since: try sinceMoment, sinceCommit: sinceCommit,
                until: try moment(until, "--until"))
            summary = try await exports.exportHistory(
                wanted, as: format, to: destination, progress: { progress.show("\(counted($0)) …") })
        } else {
            guard let model = events ? AuditEvent.schema : model else { return }
            counted = { model.counted($0) }
            let wanted =
                events ? try eventQuery : try recordQuery(of: model, in: app)
            summary = try await exports.export(
                model, wanted, as: format, to: destination, progress: { progress.show("\(counted($0)) …") })
        }
        progress.clear()
        if json { print(try summary.json) }
        Terminal.printLine(
            "Wrote \(counted(summary.records)) as of commit \(summary.commit) to \(summary.path ?? "standard output")."
        )
        if let deleted = summary.deleted, deleted > 0 {
            Terminal.printLine(
                format == .jsonl
                    ? "Deleted since: \(counted(deleted))."
                    : "Deleted since: \(counted(deleted)), which only --format jsonl names.")
        }
        await AuditLog(app: app, location: try location.store).record(.export, about: events ? "events" : summary.model)
    }

    private func recordQuery(of model: ModelSchema, in app: AppDefinition) throws -> ExportQuery {
        var wanted = try query.map { try ListQueryArgument($0, of: model, in: app).export } ?? ExportQuery()
        wanted.sinceCommit = sinceCommit
        return wanted
    }

    /// The query for the requested events, oldest first.
    private var eventQuery: ExportQuery {
        get throws {
            var conditions: [QueryExpression] = []
            if let account { conditions.append(.equal(.property("account"), .constant(.text(account)))) }
            if let time = try sinceMoment?.rfc3339 {
                conditions.append(.ordered(.greaterOrEqual, .property("time"), .constant(.text(time))))
            }
            if let time = try moment(until, "--until")?.rfc3339 {
                conditions.append(.ordered(.less, .property("time"), .constant(.text(time))))
            }
            return ExportQuery(conditions: conditions, order: ListOrder(property: "time", direction: .ascending))
        }
    }

    /// The commit that `--since` names; nil when it names a time.
    private var sinceCommit: Int64? {
        since.flatMap { text in text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil }
    }

    private var sinceMoment: Date? {
        get throws { sinceCommit == nil ? try moment(since, "--since") : nil }
    }

    /// Returns the time that an option states, or nil without the option.
    ///
    /// - Throws: `ValidationError` if the text is not a time.
    private func moment(_ text: String?, _ flag: String) throws -> Date? {
        guard let text else { return nil }
        guard let time = Date(rfc3339: text) ?? Date(rfc3339: text + "T00:00:00Z") else {
            throw ValidationError("\(flag) takes a day, as 2026-11-01, or a time, as 2026-11-01T08:30:00Z.")
        }
        return time
    }
}

extension ExportFormat: ExpressibleByArgument {}

extension Schema {
    /// Returns one of the application's own models, by its name or its slug.
    ///
    /// - Throws: `ValidationError` that lists the models.
    func model(forArgument name: String) throws -> ModelSchema {
        let own = models.filter { !$0.isBuiltIn }
        guard let model = own.first(where: { $0.name == name }) ?? own.first(where: { $0.slug == name }) else {
            throw ValidationError("There is no model \"\(name)\". There are \(TextFormatter.list(own.map(\.name))).")
        }
        return model
    }
}
