import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

struct ImportCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Import the records of a CSV or JSON Lines file.",
            discussion: """
                The first line of CSV names the columns; in JSON Lines each line is an object. Without --map each column fills \
                the property of its name. A column named id sets the ids of the records, as in a file of export.
                The command validates all lines first, stores nothing unless every line is valid, and lists problems by line. \
                It then stores batches of \(RecordImport.batchSize) lines, each a commit that can be undone.
                An import that stops between two batches prints the last stored line; --after-line continues after it.
                With --update-by, existing records are updated and keep what the file does not name.

                  \(App.commandName) import Animal penguins.csv --map name="Individual ID" --map category=Species \\
                    --create-related --null NA
                  \(App.commandName) import Animal penguins.jsonl --update-by id --dry-run
                """
        )
    }

    @Argument(help: "The model, such as Animal.")
    var model: String

    @Argument(help: ArgumentHelp("The file; - reads standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The column that fills a property; can be repeated.", valueName: "property=column"))
    var map: [String] = []

    @Flag(help: "Create records that a reference names and that do not exist.")
    var createRelated = false

    @Option(help: ArgumentHelp("A text that means no value, such as NA; can be repeated.", valueName: "text"))
    var null: [String] = []

    @Option(
        help: ArgumentHelp(
            "Update existing records, found by id or by a unique property.",
            valueName: "id|property"
        ))
    var updateBy: String?

    @Option(
        help: ArgumentHelp(
            "Continue after this line, which an interrupted import printed.", valueName: "line"))
    var afterLine = 0

    @Flag(help: "Validate everything and store nothing.")
    var dryRun = false

    @Flag(help: "Print the report, including problems, as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws {
        guard afterLine >= 0 else { throw ValidationError("--after-line: Enter a line number, such as 501.") }
    }

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
        let records = RecordImport(
            model: schema, schema: app.schema, mapping: mapping, nullMarkers: Set(null), createRelated: createRelated,
            match: updateBy.map(ImportMatch.init(named:)) ?? .none
        )
        do {
            try records.checkNames()
        } catch {
            throw ValidationError("\(error)")
        }
        let input = try CommandInput.file(file)
        defer { input.close() }
        let source = try DependencyContainer.importFile(input.path)
        let unused = (try? records.unusedColumns(of: source)) ?? []  // why they cannot be read is told by the import
        // Opening a store creates it, which a dry run must not do.
        let container: DependencyContainer? =
            try dryRun && !ServerDirectory.hasStore(at: location.path)
            ? nil
            : DependencyContainer(attachingTo: location.path, of: app, onFatalError: Server.terminateImmediately(app))
        do {
            let report = try await run(records, source, in: container)
            await container?.close()
            if report.lineCount == 0 { throw NothingToImport(line: afterLine) }
            try printReport(report, unused: unused, schema: app.schema)
        } catch {
            await container?.close()
            if !(error is ImportInterruption) { Terminal.printLine("Nothing was imported.") }
            if json { try print(ImportOutput(dryRun: dryRun, error: error, unusedColumns: unused).json) }
            throw error
        }
    }

    private func run(
        _ records: RecordImport, _ source: any ImportSource, in container: DependencyContainer?
    ) async throws -> ImportReport {
        guard let container else { return try await records.check(source, behind: afterLine, lookUp: NothingStored()) }
        let lookUp = StoredRecords(container: container)
        if dryRun { return try await records.check(source, behind: afterLine, lookUp: lookUp) }
        return try await records.run(source, behind: ImportReport(behind: afterLine), lookUp: lookUp) { batch in
            try await container.submitImport(batch.changeSet(author: CommandAuthor.name))
        }
    }

    private func printReport(_ report: ImportReport, unused: [String], schema: Schema) throws {
        if json { try print(ImportOutput(dryRun: dryRun, report: report, unusedColumns: unused).json) }
        Terminal.printLine("\(dryRun ? "Would import" : "Imported") \(report.words(schema: schema)).")
        // A user who maps columns leaves the others out on purpose.
        if map.isEmpty, !unused.isEmpty {
            Terminal.printLine("Not used: \(TextFormatter.list(unused.map { "“\($0.printable)”" })).")
        }
    }
}

private struct NothingToImport: Error, CustomStringConvertible {
    /// The line after which the file has no records.
    let line: Int

    var description: String {
        line == 0
            ? "The file contains column names but no records." : "The file contains no records after line \(line)."
    }
}

/// The result of an import as JSON.
struct ImportOutput: Encodable {
    let dryRun: Bool
    let inserted: [String: Int]
    let updated: Int
    let unchanged: Int
    /// The commits that stored the records, in their order.
    let commits: [Int64]
    /// The columns of the file that fill no property.
    let unusedColumns: [String]
    /// The first hundred problems, by line. `moreProblems` is the number of further ones.
    let problems: [Problem]
    let moreProblems: Int
    /// All wrong lines, or nil if the problem concerns the file as a whole.
    let wrongLines: Lines?

    struct Lines: Encodable {
        let count: Int
        /// The first ten ranges of wrong lines, each with its first and last line.
        let ranges: [[Int]]
        let last: Int

        init(_ lines: RejectedLines) {
            count = lines.count
            ranges = lines.ranges.map { [$0.lowerBound, $0.upperBound] }
            last = lines.last
        }
    }

    struct Problem: Encodable {
        /// The number of the line, or nil if the problem concerns the file as a whole.
        let line: Int?
        let message: String
    }

    init(dryRun: Bool, report: ImportReport, unusedColumns: [String]) {
        self.init(dryRun: dryRun, report: report, unusedColumns: unusedColumns, problems: [], more: 0)
    }

    init(dryRun: Bool, error: any Error, unusedColumns: [String]) {
        let cancellationToken = error as? ImportInterruption
        let stored = cancellationToken?.stored ?? ImportReport(), reason = cancellationToken?.reason ?? error
        if let error = reason as? ImportError, case .lines(let problems, let more, _) = error {
            self.init(
                dryRun: dryRun, report: stored, unusedColumns: unusedColumns,
                problems: problems.map { Problem(line: $0.line, message: $0.message) }, more: more,
                wrongLines: error.wrongLines
            )
        } else {
            self.init(
                dryRun: dryRun, report: stored, unusedColumns: unusedColumns,
                problems: [Problem(line: nil, message: reason.redactedText)], more: 0
            )
        }
    }

    private init(
        dryRun: Bool, report: ImportReport, unusedColumns: [String], problems: [Problem], more: Int,
        wrongLines: RejectedLines? = nil
    ) {
        self.wrongLines = wrongLines.map(Lines.init)
        self.dryRun = dryRun
        self.unusedColumns = unusedColumns
        inserted = report.inserted
        updated = report.updated
        unchanged = report.unchanged
        commits = report.commits
        self.problems = problems
        moreProblems = more
    }
}

extension ImportReport {
    /// Returns the counts as text: `3 animals and 1 category; 2 changed, 5 as they were`.
    func words(schema: Schema) -> String {
        let counts = schema.models.compactMap { model in inserted[model.name].map(model.counted) }
        var words = TextFormatter.list(counts)
        let others = [
            updated > 0 ? "\(TextFormatter.grouped(updated)) changed" : nil,
            unchanged > 0 ? "\(TextFormatter.grouped(unchanged)) as they were" : nil,
        ].compactMap(\.self)
        if !others.isEmpty { words += (words.isEmpty ? "" : "; ") + others.joined(separator: ", ") }
        return words
    }
}
