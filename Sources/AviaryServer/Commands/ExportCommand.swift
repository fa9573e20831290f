import ArgumentParser
import AviaryDomain
import Foundation

struct ExportCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export", abstract: "Write every record of a model, also while it is served.",
            discussion: """
                The records are those of one moment, in the order of their ids. CSV is as import reads it: export and \
                import bring back the same values. Secrets are not in it.

                  \(App.commandName) export Animal --output animals.csv
                  \(App.commandName) export animal-categories --format jsonl | jq .name
                """
        )
    }

    @Argument(help: "The model, such as Animal.")
    var model: String

    @Option(help: "csv, or jsonl: a JSON object a line.")
    var format: ExportFormat = .csv

    @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String = "-"

    @Flag(help: "Print what was written as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    private var destination: ExportDestination { output == "-" ? .standardOutput : .file(output) }

    func validate() throws {
        if json, destination == .standardOutput {
            throw ValidationError("--json and the records would both be written to standard output. Give a file with --output.")
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let model = try app.schema.model(forArgument: model)
        // A reader that leaves early is an error of the write, so that nothing is left lying about.
        signal(SIGPIPE, SIG_IGN)
        let progress = ProgressLine(writesToOutput: destination == .standardOutput)
        defer { progress.clear() }
        let summary = try await DependencyContainer.exports(of: app, data: location.path).export(
            model, as: format, to: destination, progress: { progress.show("\(model.counted($0)) …") }
        )
        progress.clear()
        if json { try print(summary.json) }
        Terminal.say("Wrote \(model.counted(summary.records)) as of commit \(summary.commit) to \(summary.path ?? "standard output").")
        await AuditLog(app: app, dataPath: location.path).record(.export, about: model.name)
    }
}

extension ExportFormat: ExpressibleByArgument {}

extension ExportSummary {
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
