import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

struct ImportCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Import the records of a CSV or JSON Lines file.",
            discussion: """
                The first line of a CSV file names the columns. In JSON Lines, each line is an object. A column fills the \
                property of its name, unless --map assigns another. A column named id sets the IDs of the records.

                The command validates all lines before it stores any. It then stores batches of \(RecordImport.batchSize) lines. The \
                whole import is one entry in Activity, and the command prints the ID that undoes it. Run the same command with \
                the same file to continue an interrupted import; no line is stored twice. Ctrl-C stops between two batches.

                With --update-by, existing records are updated and keep the values that the file does not contain. With \
                --on-error skip, invalid lines are left out, and --rejects writes them with their problems to a file that can be \
                corrected and imported. A file can be compressed with gzip.

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

    @Option(
        help: ArgumentHelp(
            "The column that fills a property, or property= for none; can be repeated.", valueName: "property=column"))
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
        help: ArgumentHelp(
            "The character between the fields of CSV, or tab; by default the one that the header uses.",
            valueName: "sign"))
    var delimiter: String?

    @Option(
        help: ArgumentHelp(
            "The encoding: utf-8 (the default), utf-16 or windows-1252, which includes latin1.", valueName: "name"))
    var encoding: String?

    @Option(
        help: ArgumentHelp(
            "Leave out the lines up to this one.", valueName: "line"))
    var afterLine = 0

    @Flag(help: "Import all lines, also if an import of the file was interrupted.")
    var startOver = false

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
        _ = try (separator, textEncoding)
    }

    /// The character between fields, in ASCII; nil for the one that the header uses.
    private var separator: UInt8? {
        get throws {
            guard let delimiter else { return nil }
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
            model: schema, schema: app.schema, mapping: mapping, mapsByName: true, nullMarkers: Set(null),
            createRelated: createRelated,
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
        let unused = (try? records.unusedColumns(of: source)) ?? []  // the import reports why they cannot be read
        // Opening a store creates it, which a dry run must not do.
        let container: DependencyContainer? =
            try dryRun && !location.store.hasStore()
            ? nil
            : DependencyContainer(attachingTo: location.store, of: app, onFatalError: Server.terminateImmediately(app))
        do {
            let (report, series) = try await run(records, source, of: input, for: app, in: container)
            await container?.close()
            if report.lineCount == 0 { throw NothingToImport(line: afterLine, rejected: report.rejected) }
            try printReport(report, series: series, unused: unused, schema: app.schema)
        } catch {
            await container?.close()
            let stopped = error as? StoppedImport
            if stopped == nil { Terminal.printLine("Nothing was imported.") }
            let reason = stopped?.reason ?? error
            if json {
                let stored = stopped?.job.stored ?? ImportReport()
                try print(
                    ImportOutput(
                        dryRun: dryRun, error: reason, stored: stored, series: stopped?.job.series,
                        unusedColumns: unused
                    ).json)
            }
            let refusal = (reason as? ImportError).map { ImportRefusal($0) as any Error } ?? reason
            guard let stopped else { throw refusal }
            Terminal.printLine(stopped.advice(App.commandName, dataFlag))
            throw refusal
        }
    }

    private func run(
        _ records: RecordImport, _ source: any ImportSource, of input: CommandFile, for app: AppDefinition,
        in container: DependencyContainer?
    ) async throws -> (report: ImportReport, series: UUID?) {
        let monitor = ImportMonitor(ProgressLine(writesToOutput: json))
        defer { monitor.line.clear() }
        guard let store = container, !dryRun else {
            let reject: (RejectedRecords) async throws -> Void = { try write($0, of: source, monitor) }
            let report =
                if let container {
                    try await records.check(
                        source, behind: afterLine, lookUp: StoredRecords(container: container), report: monitor.report,
                        reject: reject)
                } else {
                    try await records.check(
                        source, behind: afterLine, lookUp: UnstoredRecords(app: app), report: monitor.report,
                        reject: reject)
                }
            return (report, nil)
        }
        var work = try await store.beginImport(
            of: file == "-" ? "standard input" : URL(fileURLWithPath: file).lastPathComponent,
            at: file == "-" ? nil : URL(fileURLWithPath: file).standardizedFileURL.path, readFrom: input.path,
            into: records.model, settings: settings, arguments: Array(CommandLine.arguments.dropFirst()),
            behind: afterLine, startsOver: startOver)
        // An earlier run that knew the wrong lines may have written them.
        let isContinued = work.job.leftOut != nil
        try checkRejects(isContinued: isContinued)
        if work.job.stored.lastLine > afterLine {
            Terminal.printLine("Continuing the interrupted import after line \(work.job.stored.lastLine).")
        }
        do {
            let report = try await work.run(
                records, source, report: monitor.report,
                reject: { try write($0, of: source, isContinued: isContinued, monitor) },
                check: monitor.checkSignals,
                wait: { [line = monitor.line] error in
                    line.clear()
                    Terminal.printLine("\(error) Waiting for the store… Ctrl-C stops the import.")
                })
            return (report, report.commits.isEmpty ? nil : work.job.series)
        } catch {
            guard !work.job.hasStoredNothing else { throw error }
            throw StoppedImport(job: work.job, reason: error)
        }
    }

    /// The settings that decide what the import stores.
    private var settings: [String] {
        [
            map.joined(separator: "\0"), null.sorted().joined(separator: "\0"), constants.joined(separator: "\0"),
            String(createRelated), updateBy ?? "", onDuplicate?.rawValue ?? "", onError.rawValue, delimiter ?? "",
            encoding ?? "", String(afterLine),
        ]
    }

    /// The options with the location of the store, for a command to enter next.
    private var dataFlag: String { location.given.map { " " + $0.shellQuoted }.joined() }

    /// Checks that the file for the wrong lines does not exist, unless an earlier run of the same import wrote it.
    private func checkRejects(isContinued: Bool) throws {
        guard let rejects, !isContinued, FileManager.default.fileExists(atPath: rejects) else { return }
        throw ValidationError("--rejects: \(rejects) exists already. Move it away, or choose another name.")
    }

    /// Prints the problems of the wrong lines, and writes the lines to the file of `--rejects`.
    ///
    /// - Parameter isContinued: A Boolean value that indicates whether an earlier run may have written the file, with
    ///   these lines and with those before.
    private func write(
        _ rejected: RejectedRecords, of source: any ImportSource, isContinued: Bool = false, _ monitor: ImportMonitor
    ) throws {
        monitor.line.clear()
        for text in ProblemText.lines(rejected.groups) { Terminal.printLine(text) }
        guard let rejects, !dryRun else { return }
        if isContinued, FileManager.default.fileExists(atPath: rejects) {
            return Terminal.printLine("The wrong lines are in \(rejects), which the interrupted import wrote.")
        }
        try DependencyContainer.write(rejected, of: source, isMarked: encoding != nil, to: rejects)
        Terminal.printLine("The wrong lines are in \(rejects). Mend them and import that file.")
    }

    private func printReport(_ report: ImportReport, series: UUID?, unused: [String], schema: Schema) throws {
        if json { try print(ImportOutput(dryRun: dryRun, report: report, series: series, unusedColumns: unused).json) }
        let words = report.words(schema: schema)
        Terminal.printLine("\(dryRun ? "Would import" : "Imported") \(words.isEmpty ? "nothing" : words).")
        func lines(_ count: Int) -> String { "\(TextFormatter.grouped(count)) \(count == 1 ? "line" : "lines")" }
        if report.skipped > 0 { Terminal.printLine("Skipped \(lines(report.skipped)) whose record exists.") }
        if report.rejected > 0 { Terminal.printLine("Left out \(lines(report.rejected)) with problems.") }
        // A user who maps columns leaves the others out on purpose.
        if !unused.isEmpty {
            Terminal.printLine("Not used: \(TextFormatter.list(unused.map { "“\($0.printable)”" })).")
        }
        if !report.defaulted.isEmpty {
            let counts = report.defaulted.sorted { $0.key < $1.key }.map { name, count in
                "\(name) (\(lines(count)))"
            }
            Terminal.printLine("Defaults used: \(TextFormatter.list(counts)).")
        }
        if let series {
            Terminal.printLine("To undo all of it: \(App.commandName) undo \(series.canonicalText)\(dataFlag) --yes")
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

/// An import that stopped when a part of its file was stored, or may have been stored.
private struct StoppedImport: Error {
    let job: ImportJob
    let reason: any Error

    /// Returns sentences about how to continue the import, and how to undo it.
    ///
    /// - Parameter dataFlag: The option with the data directory, for the command that undoes the import.
    func advice(_ command: String, _ dataFlag: String) -> String {
        let line = TextFormatter.grouped(job.stored.lastLine)
        let stored =
            job.stored.commits.isEmpty
            ? "The store has not said whether the first lines are stored."
            : "The lines up to \(line) are stored."
        let undo =
            job.series.map { " To undo it: \(command) undo \($0.canonicalText)\(dataFlag) --yes" } ?? ""
        return stored + " Run the same command again to continue; no line is stored twice." + undo
    }
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
