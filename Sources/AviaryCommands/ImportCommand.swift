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
                With --update-by, existing records are updated and keep what the file does not name; lines without one are \
                new records. A file may be compressed with gzip. Ctrl-C stops between two batches.
                With --on-error skip, wrong lines are left out; --rejects writes them to a file with their problems, which \
                can be mended and imported.

                  \(App.commandName) import Animal penguins.csv --map name="Individual ID" --map category=Species \\
                    --create-related --null NA
                  \(App.commandName) import Animal penguins.jsonl --update-by id --dry-run
                  \(App.commandName) import Animal animals.csv.gz --delimiter ';' --encoding windows-1252 \\
                    --set diet=herbivorous --on-error skip --rejects rejects.csv
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
            "Update existing records, found by id or by a unique property, and insert the others.",
            valueName: "id|property"
        ))
    var updateBy: String?

    @Option(
        help: ArgumentHelp(
            """
            What happens to a line whose record exists, by its id, by a unique value or as --update-by says: fail (the default), \
            skip, or update (the default with --update-by).
            """, valueName: "choice"))
    var onDuplicate: DuplicateChoice?

    @Option(
        help: ArgumentHelp(
            "What happens when lines are wrong: stop (the default) imports nothing, skip leaves them out.",
            valueName: "choice"))
    var onError: WrongLineChoice = .stop

    @Option(
        help: ArgumentHelp(
            "With --on-error skip, the new file for the wrong lines and their problems.", valueName: "file"))
    var rejects: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A value that all lines get; can be repeated.", valueName: "property=value"))
    var constants: [String] = []

    @Option(
        help: ArgumentHelp("The character between the fields of CSV, a comma by default, or tab.", valueName: "sign"))
    var delimiter: String?

    @Option(
        help: ArgumentHelp(
            "The encoding: utf-8 (the default), utf-16 or windows-1252, which includes latin1.", valueName: "name"))
    var encoding: String?

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
        if rejects != nil, onError != .skip { throw ValidationError("--rejects needs --on-error skip.") }
        if onDuplicate == .update, updateBy == nil {
            throw ValidationError("--on-duplicate update needs --update-by with id or a unique property.")
        }
        if onDuplicate == .fail, updateBy != nil {
            throw ValidationError("--update-by updates existing records. Remove it, or --on-duplicate fail.")
        }
        if let rejects, FileManager.default.fileExists(atPath: rejects) {
            throw ValidationError("--rejects: \(rejects) exists already. Move it away, or choose another name.")
        }
        _ = try (separator, textEncoding)
    }

    /// The character between fields, in ASCII.
    private var separator: UInt8 {
        get throws {
            guard let delimiter else { return CSVReader.comma }
            if ["tab", "\\t", "\t"].contains(delimiter) { return 9 }
            guard delimiter.utf8.count == 1, let sign = delimiter.utf8.first, sign > 32, sign < 127,
                sign != UInt8(ascii: "\"")
            else { throw ValidationError("--delimiter takes one character, such as ; or |, or the word tab.") }
            return sign
        }
    }

    private var textEncoding: TextEncoding {
        get throws {
            guard let encoding else { return .utf8 }
            guard let known = TextEncoding(named: encoding) else {
                throw ValidationError("--encoding takes utf-8, utf-16 or windows-1252.")
            }
            return known
        }
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
        let constants = try constants.map { text in
            do {
                return try FieldConstant(parsing: text)
            } catch {
                throw ValidationError("--set: Write a property and a value, such as diet=herbivorous.")
            }
        }
        let records = RecordImport(
            model: schema, schema: app.schema, mapping: mapping, nullMarkers: Set(null), createRelated: createRelated,
            match: updateBy.map(ImportMatch.init(named:)) ?? .none, constants: constants,
            skipsDuplicates: onDuplicate == .skip, skipsErrors: onError == .skip
        )
        do {
            try records.checkNames()
        } catch {
            throw ValidationError("\(error)")
        }
        let input = try CommandInput.file(file)
        defer { input.close() }
        let source = try DependencyContainer.importFile(
            input.path, encoding: try textEncoding, separator: try separator)
        let unused = (try? records.unusedColumns(of: source)) ?? []  // why they cannot be read is told by the import
        // Opening a store creates it, which a dry run must not do.
        let container: DependencyContainer? =
            try dryRun && !ServerDirectory.hasStore(at: location.path)
            ? nil
            : DependencyContainer(attachingTo: location.path, of: app, onFatalError: Server.terminateImmediately(app))
        do {
            let report = try await run(records, source, in: container)
            await container?.close()
            if report.lineCount == 0 { throw NothingToImport(line: afterLine, rejected: report.rejected) }
            try printReport(report, unused: unused, schema: app.schema)
        } catch {
            await container?.close()
            if !(error is ImportInterruption) { Terminal.printLine("Nothing was imported.") }
            if json { try print(ImportOutput(dryRun: dryRun, error: error, unusedColumns: unused).json) }
            throw (error as? ImportError).map { ImportRefusal($0) as any Error } ?? error
        }
    }

    private func run(
        _ records: RecordImport, _ source: any ImportSource, in container: DependencyContainer?
    ) async throws -> ImportReport {
        let monitor = ImportMonitor(ProgressLine(writesToOutput: json))
        defer { monitor.line.clear() }
        guard let container else {
            return try await records.check(
                source, behind: afterLine, lookUp: NothingStored(), report: monitor.report,
                reject: { try write($0, of: source, monitor) })
        }
        let lookUp = StoredRecords(container: container)
        if dryRun {
            return try await records.check(
                source, behind: afterLine, lookUp: lookUp, report: monitor.report,
                reject: { try write($0, of: source, monitor) })
        }
        return try await records.run(
            source, behind: ImportReport(behind: afterLine), lookUp: lookUp, report: monitor.report,
            reject: { try write($0, of: source, monitor) },
            store: { [checkSignals = monitor.checkSignals] batch in
                try checkSignals()
                return try await container.submitImport(batch.changeSet(author: CommandAuthor.name))
            })
    }

    /// Prints the problems of the wrong lines, and writes the lines to the file of `--rejects`.
    private func write(_ rejected: RejectedRecords, of source: any ImportSource, _ monitor: ImportMonitor) throws {
        monitor.line.clear()
        for text in ProblemText.lines(rejected.groups) { Terminal.printLine(text) }
        guard let rejects, !dryRun else { return }
        try DependencyContainer.write(rejected, of: source, isMarked: encoding != nil, to: rejects)
        Terminal.printLine("The wrong lines are in \(rejects). Mend them and import that file.")
    }

    private func printReport(_ report: ImportReport, unused: [String], schema: Schema) throws {
        if json { try print(ImportOutput(dryRun: dryRun, report: report, unusedColumns: unused).json) }
        let words = report.words(schema: schema)
        Terminal.printLine("\(dryRun ? "Would import" : "Imported") \(words.isEmpty ? "nothing" : words).")
        func lines(_ count: Int) -> String { "\(TextFormatter.grouped(count)) \(count == 1 ? "line" : "lines")" }
        if report.skipped > 0 { Terminal.printLine("Skipped \(lines(report.skipped)) whose record exists.") }
        if report.rejected > 0 { Terminal.printLine("Left out \(lines(report.rejected)) with problems.") }
        // A user who maps columns leaves the others out on purpose.
        if map.isEmpty, !unused.isEmpty {
            Terminal.printLine("Not used: \(TextFormatter.list(unused.map { "“\($0.printable)”" })).")
        }
        if !report.defaulted.isEmpty {
            let counts = report.defaulted.sorted { $0.key < $1.key }.map { name, count in
                "\(name) (\(lines(count)))"
            }
            Terminal.printLine("Defaults used: \(TextFormatter.list(counts)).")
        }
    }
}

/// The choices of `--on-duplicate`.
enum DuplicateChoice: String, CaseIterable, ExpressibleByArgument {
    case skip, update, fail
}

/// The choices of `--on-error`.
enum WrongLineChoice: String, CaseIterable, ExpressibleByArgument {
    case stop, skip
}

private struct NothingToImport: Error, CustomStringConvertible {
    /// The line after which the file has no records.
    let line: Int
    /// The number of wrong lines.
    let rejected: Int

    var description: String {
        if rejected > 0 { return "Every line has problems." }
        return line == 0
            ? "The file contains column names but no records." : "The file contains no records after line \(line)."
    }
}
