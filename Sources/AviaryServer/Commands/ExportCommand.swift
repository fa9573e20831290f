import ArgumentParser
import AviaryDomain
import BrowseFeature
import Foundation

struct ExportCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export", abstract: "Export the records of a model.",
            discussion: """
                The export has the records of one moment, in the order of their ids unless --query says otherwise. Import reads \
                its CSV back as the same values. Secrets are not exported. A file is written from the store itself; for \
                standard output the store is copied first, which needs as much space in the data directory.

                  \(App.commandName) export Animal --output animals.csv
                  \(App.commandName) export animals --query 'filter.diet=herbivorous&sort=-name'
                  \(App.commandName) export animal-categories --format jsonl | jq .name
                """
        )
    }

    @Argument(help: "The model, such as Animal.")
    var model: String

    @Option(help: "csv, or jsonl for one JSON object a line.")
    var format: ExportFormat = .csv

    @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
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
        if json, destination == .standardOutput {
            throw ValidationError(
                "--json and the records would both be written to standard output. Give a file with --output.")
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let model = try app.schema.model(forArgument: model)
        let wanted = try query.map { try exportQuery($0, of: model, in: app) } ?? ExportQuery()
        // A reader that leaves early is an error of the write, so that nothing is left lying about.
        signal(SIGPIPE, SIG_IGN)
        let progress = ProgressLine(writesToOutput: destination == .standardOutput)
        defer { progress.clear() }
        let summary = try await DependencyContainer.exports(of: app, data: location.path).export(
            model, wanted, as: format, to: destination, progress: { progress.show("\(model.counted($0)) …") }
        )
        progress.clear()
        if json { print(try summary.json) }
        Terminal.say(
            "Wrote \(model.counted(summary.records)) as of commit \(summary.commit) to \(summary.path ?? "standard output")."
        )
        await AuditLog(app: app, dataPath: location.path).record(.export, about: model.name)
    }
}

extension ExportCommand {
    /// - Throws: `ValidationError` for what the list does not have.
    private func exportQuery(_ text: String, of model: ModelSchema, in app: AppDefinition) throws -> ExportQuery {
        guard let configuration = app.configurations.first(where: { $0.schema.name == model.name }) else {
            return ExportQuery()
        }
        let text = text.hasPrefix("?") ? String(text.dropFirst()) : text
        do {
            return try ListQuery(FormEncoding.decode(text.utf8), for: configuration).exported(for: configuration)
        } catch let error as ListQueryError {
            throw ValidationError("--query: \(error.words)")
        } catch {
            throw ValidationError(
                "--query: It cannot be read. Copy what stands behind the question mark of a list's address.")
        }
    }
}

extension ExportFormat: ExpressibleByArgument {}

extension ListQueryError {
    fileprivate var words: String {
        switch self {
        case .unknownColumn: "The list cannot be sorted by that."
        case .invalidCursor, .invalidSize: "It asks for a page. Leave out after, before and size."
        case .ambiguous(let name): "It says \(name) more than once. Leave all but one out."
        case .unknownFilter: "The list has no such filter."
        case .unreadable(let filter, let advice): "\(filter): \(advice)"
        case .tooManyValues(let filter): "\(filter) takes up to 50 values."
        case .noSearch: "The list cannot be searched."
        case .searchTooLong: "A search takes up to 200 letters."
        case .unreadableSearch: "It looks for a character that no text has."
        }
    }
}
