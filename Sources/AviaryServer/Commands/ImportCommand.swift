import ArgumentParser
import AviaryDomain
import Foundation

struct ImportCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Store the records of a CSV file, all or none.",
            discussion: """
                The first line names the columns. Without --map each column fills the property of its name, and a \
                column named id gives the records their ids, as a file of export has them.
                Nothing is stored unless every line is good; what is wrong is told by line.

                  \(App.commandName) import Animal penguins.csv --map name="Individual ID" --map category=Species \\
                    --create-related --null NA
                """
        )
    }

    @Argument(help: "The model, such as Animal.")
    var model: String

    @Argument(help: ArgumentHelp("The file; - reads standard input.", valueName: "file.csv"))
    var file: String

    @Option(help: ArgumentHelp("Which column fills a property; can be repeated.", valueName: "property=column"))
    var map: [String] = []

    @Flag(help: "Make the records that a reference names and that do not exist.")
    var createRelated = false

    @Option(help: ArgumentHelp("A text that stands for no value, such as NA; can be repeated.", valueName: "text"))
    var null: [String] = []

    @Flag(help: "Check everything and store nothing.")
    var dryRun = false

    @Flag(help: "Print the counts as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func run() async throws {
        let app = try AppDefinition(App.self)
        let schema = try app.schema.model(forArgument: model)
        let mapping = try map.map { text in
            do {
                return try FieldMapping(parsing: text)
            } catch {
                throw ValidationError("--map: \(error)")
            }
        }
        let bytes = try CommandInput.read(file)
        let csv = CSVImport(
            model: schema, schema: app.schema, mapping: mapping, nullMarkers: Set(null), createRelated: createRelated
        )
        // Opening a store makes it, which is more than a dry run may do.
        let container: DependencyContainer? = try dryRun && !ServedDirectory.hasStore(at: location.path) ? nil
            : DependencyContainer(attachingTo: location.path, of: app, onFatalError: Server.endAtOnce(app))
        do {
            let plan = try await plan(bytes, as: csv, in: container)
            if plan.lineCount == 0 { throw NothingToImport() }
            if !dryRun, let container { try await store(plan.changeSet(author: CommandAuthor.name), through: container) }
            await container?.close()
            report(plan, schema: app.schema)
        } catch {
            await container?.close()
            if (error as? StoreError) != .unanswered { Terminal.say("Nothing was imported.") }
            throw error
        }
    }

    private func plan(_ bytes: [UInt8], as csv: CSVImport, in container: DependencyContainer?) async throws -> CSVImportPlan {
        guard let container else { return try await csv.plan(bytes, lookUp: NothingStored()) }
        return try await csv.plan(bytes, lookUp: StoredRecords(container: container))
    }

    /// When the store does not answer in time, its receipt may still tell that everything is there.
    private func store(_ changeSet: ChangeSet, through container: DependencyContainer) async throws {
        do {
            _ = try await container.writer.submit(changeSet)
        } catch StoreError.unanswered {
            guard case .saved = try await container.ledger.outcome(ofDraft: changeSet.id) else {
                throw StoreError.unanswered
            }
        }
    }

    private func report(_ plan: CSVImportPlan, schema: Schema) {
        if json {
            let counts = plan.counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
            print("{\"dryRun\":\(dryRun),\"inserted\":{\(counts.joined(separator: ","))}}")
        }
        let counts = schema.models.compactMap { model in plan.counts[model.name].map(model.counted) }
        Terminal.say(dryRun ? "Would import \(Words.list(counts))." : "Imported \(Words.list(counts)).")
    }
}

/// What the store has.
private struct StoredRecords: RecordLookUp {
    let container: DependencyContainer

    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        try await container.model(named: model.name)?.repository.ids(where: values, limit: 2) ?? []
    }

    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool {
        try await container.model(named: model.name)?.repository.find(id) != nil
    }

    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int {
        try await container.model(named: model.name)?.repository.related(to: [id], by: property, limit: 0)[id]?.count ?? 0
    }
}

private struct NothingToImport: Error, CustomStringConvertible {
    let description = "The file names columns and has no records."
}
