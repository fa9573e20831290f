import ArgumentParser
import AviaryAdmin
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
        guard (1...9).contains(level) else { throw ValidationError("--level takes a number from 1 to 9.") }
        guard output == "-" else { return }
        if prove { throw ValidationError("--prove reads the file again. Add --output with a file name.") }
        if json {
            throw ValidationError("--json and --output - would both write to standard output. Use only one.")
        }
        if isatty(STDOUT_FILENO) == 1 {
            throw ValidationError(
                "A snapshot is binary. Redirect standard output to a file or a program.")
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
        let snapshots = DependencyContainer.snapshots(of: app, at: try location.store) { progress.show($0) }
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
        Terminal.printLine(report.words(app.schema))
        if let reasons = summary.unsaved {
            Terminal.warn(
                reasons.map {
                    "the data before a restore is not in a snapshot yet, and the next backup tries again: " + $0
                })
        }
        if app.schema.withholdsSecrets, !includeSecrets {
            Terminal.printLine("It contains no secrets. Add --include-secrets to include them.")
        }
        await AuditLog(app: app, location: try location.store).record(.backup, about: summary.fileName)
    }
}

extension SnapshotSummary {
    var fileName: String { path.map { URL(filePath: $0).lastPathComponent } ?? "standard output" }

    /// Returns the size of a file in bytes, or nil if the file no longer exists.
    static func size(of path: String) -> Int? {
        // The error says that the file no longer exists.
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue
    }

    /// Returns the contents as text: `12 animals and 3 friends as of commit 17`.
    func words(_ schema: Schema) -> String {
        var parts = schema.models.compactMap { model in counts[model.name].map(model.counted) }
        if links > 0 { parts.append("\(TextFormatter.grouped(links)) \(links == 1 ? "link" : "links")") }
        return "\(TextFormatter.list(parts)) as of commit \(commit)" + (log.map { ", " + $0.words } ?? "")
    }
}

extension SnapshotSummary.Log {
    /// The history and receipts as text: `with 40 entries of the history and 12 receipts`.
    fileprivate var words: String {
        let receipts = "\(TextFormatter.grouped(receipts)) \(receipts == 1 ? "receipt" : "receipts")"
        guard let entries else { return "with \(receipts) and without the history" }
        return
            "with \(TextFormatter.grouped(entries)) \(entries == 1 ? "entry" : "entries") of the history and \(receipts)"
    }
}

/// The report of `backup --json`.
struct BackupReport: Encodable {
    let summary: SnapshotSummary
    /// The size of the file, or nil for standard output.
    let bytes: Int?
    let seconds: Double
    /// The time of the successful test restore, or nil if none was requested.
    let provenAt: String?

    private enum CodingKeys: String, CodingKey {
        case bytes, seconds, provenAt
    }

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(bytes, forKey: .bytes)
        try container.encode(seconds, forKey: .seconds)
        try container.encodeIfPresent(provenAt, forKey: .provenAt)
    }

    /// Returns the report as one line.
    func words(_ schema: Schema) -> String {
        var parts = [bytes.map(Amount.size), "sha256 \(summary.sha256)", String(format: "%.1f s", seconds)]
            .compactMap(
                \.self)
        if provenAt != nil { parts.append("proven restorable") }
        return
            "Wrote \(summary.words(schema)) to \(summary.path ?? "standard output") (\(parts.joined(separator: ", ")))."
    }
}

extension SnapshotSummary {
    /// The largest number of listed warnings, so that the list remains readable.
    private static var mostWarnings: Int { 20 }

    /// The warnings that do not prevent a restore, but that the user should know before one.
    var warnings: [String] {
        let unknown = unknownRoles ?? []
        // Each warning is escaped separately, so that no text can imitate a second warning.
        let listed = unknown.prefix(Self.mostWarnings).map {
            "\($0.account) has the role \($0.role), which the program doesn’t have and which allows nothing.".printable
        }
        return switch unknown.count - listed.count {
        case 0: listed
        case 1: listed + ["1 more account has a role that the program doesn’t have."]
        case let more:
            listed + ["\(TextFormatter.grouped(more)) more accounts have roles that the program doesn’t have."]
        }
    }
}

extension Terminal {
    static func warn(_ warnings: [String]) {
        for warning in warnings { printLine("Warning: " + warning) }
    }
}
