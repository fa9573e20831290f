import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

struct MoveCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "move",
            abstract: "Move all contents of a store to an empty one, such as from a file to a database.",
            discussion: """
                The command copies records, accounts, secrets, history and receipts as a snapshot and compares the new store \
                with the snapshot line by line. It does not change the old store. Stop the servers of both stores first. Run the \
                same command again to continue an interrupted move.

                A database needs a data directory on this host for keys and sockets: the directory of the other store, or \
                --data. The keys, which seal second factors, stay in their directory.

                  \(App.commandName) move --from ./data --to postgresql://aviary@db.example.org/zoo
                """
        )
    }

    @Option(
        help: ArgumentHelp(
            "The store to move: a data directory, or the address of a PostgreSQL database.", valueName: "dir|url"))
    var from: String

    @Option(
        help: ArgumentHelp(
            "The new place, without a store: a data directory, or the address of a PostgreSQL database.",
            valueName: "dir|url"))
    var to: String

    @Option(help: ArgumentHelp("The data directory on this host for a database.", valueName: "dir"))
    var data: String?

    @Flag(help: "Print a report as JSON.")
    var json = false

    func validate() throws {
        guard from != to else { throw ValidationError("--from and --to are the same.") }
        _ = try locations
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let (source, target) = try locations
        let start = ContinuousClock.now
        let progress = ProgressLine(writesToOutput: json)
        defer { progress.clear() }
        let outcome = try await DependencyContainer.move(of: app, from: source, to: target) { progress.show($0) }.run()
        progress.clear()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if json { print(try MoveReport(outcome, from: source, to: target, seconds: seconds).json) }
        Terminal.printLine(
            "Moved \(outcome.snapshot.words(app.schema)), and compared \(TextFormatter.grouped(outcome.compared)) lines in "
                + String(format: "%.1f s.", seconds))
        Terminal.printLine(
            "\(target.name) is at commit \(outcome.commit). \(source.name) stays as it was; do not serve it any more.")
        if source.path != target.path {
            Terminal.printLine("Copy the keys, with which second factors are sealed: \(source.path)/keys")
        }
        Terminal.printLine("Serve it with: \(App.commandName) serve \(target.flags)")
        await AuditLog(app: app, location: target).record(.restore, about: "from \(source.name)")
    }

    private var locations: (source: StoreLocation, target: StoreLocation) {
        get throws { (try location(from, "--from", other: to), try location(to, "--to", other: from)) }
    }

    private func location(_ text: String, _ flag: String, other: String) throws -> StoreLocation {
        guard Self.isAddress(text) else { return StoreLocation(text) }
        let host = data ?? (Self.isAddress(other) ? nil : other)
        guard let host else { throw ValidationError("Two databases need the data directory of this host: add --data.") }
        return try DataOption.location(of: text, from: flag, path: host)
    }

    private static func isAddress(_ text: String) -> Bool { text.contains("://") }
}

/// The report of `move --json`.
private struct MoveReport: Encodable {
    let from: String
    let to: String
    let commit: Int64
    let records: Int
    let counts: [String: Int]
    let entries: Int
    let receipts: Int
    let compared: Int
    let seconds: Double

    init(_ outcome: StoreMove.Outcome, from source: StoreLocation, to target: StoreLocation, seconds: Double) {
        from = source.name
        to = target.name
        commit = outcome.commit
        records = outcome.snapshot.records
        counts = outcome.snapshot.counts
        entries = outcome.snapshot.log?.entries ?? 0
        receipts = outcome.snapshot.log?.receipts ?? 0
        compared = outcome.compared
        self.seconds = seconds
    }
}
