import ArgumentParser
import AviaryDomain
import Foundation

struct BackupCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "backup", abstract: "Write a snapshot of the whole store.",
            discussion: "Works beside a running server. The keys directory is not in a snapshot: back it up separately."
        )
    }

    @Option(
        help: ArgumentHelp(
            "The file to create; - is standard output. By default a new file in the data directory's snapshots.",
            valueName: "file"
        ))
    var output: String?

    @Option(help: "The compression level, from 1 (fastest) to 9 (smallest).")
    var level: Int = 1

    @Flag(help: "Include the values of secret properties. Protect such a snapshot like a password.")
    var includeSecrets = false

    @Flag(help: "Include the history of changes, so that Activity and undo continue after a restore.")
    var withHistory = false

    @Flag(help: "Restore the snapshot into a temporary store and compare.")
    var prove = false

    @Flag(help: "Print a report as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws {
        guard (1...9).contains(level) else { throw ValidationError("--level is a number from 1 to 9.") }
        guard output == "-" else { return }
        if prove { throw ValidationError("--prove reads the file again: give --output the name of one.") }
        if json {
            throw ValidationError("--json and --output - would both write to standard output. Give one of them.")
        }
        if isatty(STDOUT_FILENO) == 1 {
            throw ValidationError(
                "A snapshot is no text for a terminal. Redirect standard output to a file or a program.")
        }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let destination: SnapshotDestination =
            switch output {
            case nil: .standard
            case "-": .standardOutput
            case .some(let path): .file(path)
            }
        let start = ContinuousClock.now
        let progress = ProgressLine(writesToOutput: output == "-")
        defer { progress.clear() }
        let snapshots = DependencyContainer.snapshots(of: app, data: location.path, progress: progress)
        let summary = try await snapshots.create(
            at: destination, level: level, includingSecrets: includeSecrets, includingHistory: withHistory)
        let proof: SnapshotProof? = if prove, let path = summary.path { try await snapshots.prove(path) } else { nil }
        progress.clear()
        let report = BackupReport(
            summary: summary, bytes: summary.path.flatMap(SnapshotSummary.size),
            seconds: (ContinuousClock.now - start) / .seconds(1),
            provenAt: proof?.provenAt.rfc3339
        )
        if json { print(try report.json) }
        Terminal.say(report.words(app.schema))
        if app.schema.withholdsSecrets, !includeSecrets {
            Terminal.say("Secrets are not in it; --include-secrets writes them.")
        }
        await AuditLog(app: app, dataPath: location.path).record(.backup, about: summary.fileName)
    }
}

extension SnapshotSummary {
    var fileName: String { path.map { URL(filePath: $0).lastPathComponent } ?? "standard output" }

    /// In bytes; nil where the file is gone already.
    static func size(of path: String) -> Int? {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue
    }

    /// `12 animals and 3 friends as of commit 17`.
    func words(_ schema: Schema) -> String {
        var parts = schema.models.compactMap { model in counts[model.name].map(model.counted) }
        if links > 0 { parts.append("\(Words.grouped(links)) \(links == 1 ? "link" : "links")") }
        return "\(Words.list(parts)) as of commit \(commit)" + (log.map { ", " + $0.words } ?? "")
    }
}

extension SnapshotSummary.Log {
    /// `with 40 entries of the history and 12 receipts`.
    fileprivate var words: String {
        let receipts = "\(Words.grouped(receipts)) \(receipts == 1 ? "receipt" : "receipts")"
        guard let entries else { return "with \(receipts) and without the history" }
        return "with \(Words.grouped(entries)) \(entries == 1 ? "entry" : "entries") of the history and \(receipts)"
    }
}
