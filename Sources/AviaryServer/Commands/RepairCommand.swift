import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

struct RepairCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "repair", abstract: "Build the store's file anew from what can be read of it.",
            discussion: """
                For a file that is damaged, and for indexes, texts' words, links and totals that do not fit the records: all of \
                it is made anew. Records that cannot be read are made again from the history of changes where that holds them; \
                the others are named. The file as it was stays beside the snapshots as before-repair-TIME.sqlite. No server may \
                run on the directory. Take a backup first: it reads the same records. Exit code 1 when something is lost.
                """
        )
    }

    @Flag(help: "Tell what would be done, and change nothing.")
    var dryRun = false

    @OptionGroup var location: DataOption

    func run() async throws {
        let app = try AppDefinition(App.self)
        guard ServedDirectory.hasStore(at: location.path) else {
            throw DataDirectoryError(
                path: location.path, reason: "has no store.", advice: "Name the data directory with --data."
            )
        }
        let directory = try ServedDirectory(locking: location.path)
        let repair = StoreRepair(of: directory.files, schema: app.schema, sortIndexes: app.sortIndexes)
        let isDry = dryRun
        let report = try repair.run(isDry: isDry, at: Date())
        withExtendedLifetime(directory) {}
        print(report.text(isDry: isDry).printableLines)
        if !report.isComplete { throw ExitCode.failure }
    }
}

extension RepairReport {
    private static let named = 20

    fileprivate func text(isDry: Bool) -> String {
        var lines = records.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { model, count in
            "\(Words.grouped(count)) \(model)"
        }
        for (model, ids) in recovered.sorted(by: { $0.key < $1.key }) {
            lines.append("From the history of changes: \(ids.count) \(model)\(list(ids))")
        }
        for (model, ids) in lost.sorted(by: { $0.key < $1.key }) {
            lines.append("LOST: \(ids.count) \(model)\(list(ids))")
        }
        for (model, count) in unnamed.sorted(by: { $0.key < $1.key }) {
            lines.append("LOST: about \(Words.grouped(count)) \(model) that nothing names")
        }
        lines += notes
        if let copy { lines.append("The file as it was: \(copy)") }
        lines.append(isDry ? "Nothing was changed." : "Everything that follows from the records was made anew.")
        return lines.joined(separator: "\n")
    }

    private func list(_ ids: [UUID]) -> String {
        ids.prefix(Self.named).map { "\n  \($0.canonicalText)" }.joined()
            + (ids.count > Self.named ? "\n  and \(Words.grouped(ids.count - Self.named)) more" : "")
    }
}
