import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The command that undoes commits, with or without a running server.
struct UndoCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "undo", abstract: "Undo commits, or a whole import or update.",
            discussion: """
                An import or update is named by the id that its command prints when it ends. \
                Without --yes the command only shows what the commits changed. Each commit is undone by a commit of its own, \
                completely or not at all, the newest first. Newer changes are never overwritten: the first commit that \
                they prevent from being undone ends the command. An undo can be undone too.

                  \(App.commandName) undo 17
                  \(App.commandName) undo 17 18 19 --yes
                  \(App.commandName) undo 019a6f0e-8c11-7d5a-9a53-3b4ff1b7e2d4 --yes
                """
        )
    }

    @Argument(
        help: ArgumentHelp(
            "The numbers of commits, as Activity shows them, or the ids of imports.", valueName: "commit|import"))
    var commits: [UndoTarget]

    @Flag(help: "Undo the commits. Without it, nothing is changed.")
    var yes = false

    @Flag(help: "Print a report as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws {
        guard commits.allSatisfy({ $0 != .commit(0) }) else { throw ValidationError("A commit has a number from 1.") }
        guard Set(commits).count == commits.count else { throw ValidationError("Name each commit once.") }
    }

    func run() async throws {
        guard try location.store.hasStore() else { try location.checkExists(); throw MissingStoreError() }
        let app = try AppDefinition(App.self)
        try await DependencyContainer.attached(to: try location.store, of: app) { container in
            let wanted = try await found(in: container, schema: app.schema)
            guard !wanted.isEmpty else {
                if json { print(try UndoReport(dryRun: !yes, commits: []).json) }
                return Terminal.printLine("All of it is undone already.")
            }
            for text in UndoReport.lines(wanted, app.schema) { Terminal.printLine(text) }
            if yes {
                try await undo(wanted, in: container)
            } else {
                if json { print(try UndoReport(dryRun: true, commits: wanted).json) }
                Terminal.printLine("Nothing was changed. Add --yes to undo \(wanted.count == 1 ? "it" : "them").")
            }
        }
    }

    private func undo(_ wanted: [UndoReport.Commit], in container: DependencyContainer) async throws {
        var done: [UndoReport.Commit] = []
        do {
            let progress = ProgressLine(writesToOutput: json)
            defer { progress.clear() }
            for commit in wanted {
                done.append(try await undo(commit, in: container))
                if wanted.count > 1 { progress.show("Undid \(done.count) of \(wanted.count) commits") }
            }
        } catch {
            if !done.isEmpty, commits.contains(where: \.isSeries) {
                Terminal.printLine(
                    "Undid \(TextFormatter.grouped(done.count)) of \(TextFormatter.grouped(wanted.count)) commits. The same command continues."
                )
            }
            if json { print(try UndoReport(dryRun: false, commits: done).json) }
            throw error
        }
        if json { print(try UndoReport(dryRun: false, commits: done).json) }
        let parts = done.filter { $0.series != nil }.count
        if parts > 0 {
            Terminal.printLine("Undid \(TextFormatter.grouped(parts)) \(parts == 1 ? "commit" : "commits").")
        }
    }

    /// Returns the commits to undo, the newest first.
    ///
    /// - Throws: ``UnknownCommit``; ``UnknownImportError``; ``AccountCommitError``.
    private func found(in container: DependencyContainer, schema: Schema) async throws -> [UndoReport.Commit] {
        var summaries: [Int64: (summary: CommitSummary, series: ChangeSetSeries?)] = [:]
        for target in commits {
            switch target {
            case .commit(let number):
                guard let summary = try await container.history.commit(number) else {
                    throw UnknownCommit(number: number)
                }
                summaries[number] = (summary, nil)
            case .series(let id):
                let series = ChangeSetSeries(id)
                let parts = try await container.history.commits(of: series)
                guard !parts.isEmpty else { throw UnknownImportError(id: id) }
                // An undo that was interrupted continues with the rest.
                let undone = try await container.history.undoneCommits(of: parts.map(\.number))
                for part in parts where !undone.contains(part.number) { summaries[part.number] = (part, series) }
            }
        }
        var found: [UndoReport.Commit] = []
        for (number, part) in summaries.sorted(by: { $0.key > $1.key }) {
            let tally = try await container.history.tally(of: number, limit: nil)
            // Undoing a change of an account would restore an old epoch, so that ended sessions would be valid again.
            guard tally.allSatisfy({ schema.model($0.model)?.isBuiltIn != true }) else {
                throw AccountCommitError(number: number)
            }
            found.append(UndoReport.Commit(part.summary, tally, series: part.series))
        }
        return found
    }

    private func undo(_ commit: UndoReport.Commit, in container: DependencyContainer) async throws
        -> UndoReport.Commit
    {
        // The commits that undo a series are a series, too, so that they are one entry of Activity.
        let id = commit.series.map { $0.inverse.changeSet([commit.changeSet]) } ?? .version7()
        let receipt = try await receipt(
            of: Undo(id: id, commit: commit.number, author: CommandAuthor.name), in: container)
        if commit.series == nil {
            Terminal.printLine("Undid commit \(commit.number) by commit \(receipt.commit).")
        }
        var commit = commit
        commit.undoneBy = receipt.commit
        return commit
    }

    private func receipt(of undo: Undo, in container: DependencyContainer) async throws -> Receipt {
        do {
            return try await container.history.undo(undo)
        } catch {
            guard error == .unanswered else { throw error }
            // The same undo is stored at most once.
            return try await container.history.undo(undo)
        }
    }
}

/// The commits of `undo`, for `--json`.
struct UndoReport: Encodable {
    struct Commit: Encodable {
        struct Part: Encodable {
            let model: String
            let kind: String
            let count: Int

            func words(_ schema: Schema) -> String {
                "\(schema.model(model)?.counted(count) ?? "\(count) of \(model)") \(kind)"
            }
        }

        let number: Int64
        let account: String
        let time: Date
        let changes: [Part]
        /// The number of the commit that undid this one; nil before.
        var undoneBy: Int64?
        let changeSet: UUID
        /// The series as whose part the commit is undone; nil for a commit of its own.
        let series: ChangeSetSeries?

        private enum CodingKeys: String, CodingKey {
            case number, account, time, changes, undoneBy
        }

        init(_ summary: CommitSummary, _ tally: [ChangeTally], series: ChangeSetSeries? = nil) {
            self.series = series
            changeSet = summary.changeSet
            number = summary.number
            account = summary.author
            time = summary.time
            changes = tally.map { Part(model: $0.model, kind: $0.kind.pastParticiple, count: $0.count) }
        }

        /// Returns the commit as text: `Commit 17 by ada at …: 3 animals inserted.`
        func words(_ schema: Schema) -> String {
            let parts = changes.map { $0.words(schema) }
            return "Commit \(number) by \(account.printable) at \(time.rfc3339 ?? ""): \(TextFormatter.list(parts))."
        }
    }

    let dryRun: Bool
    let commits: [Commit]

    /// Returns the commits as text: one line for each, and one for all commits of an import.
    static func lines(_ commits: [Commit], _ schema: Schema) -> [String] {
        let series = Dictionary(grouping: commits) { $0.series }
        return (series[ChangeSetSeries?.none] ?? []).map { $0.words(schema) }
            + series.compactMap { series, commits -> String? in
                guard let series, let newest = commits.first, let oldest = commits.last else { return nil }
                let parts = Dictionary(grouping: commits.flatMap(\.changes)) { [$0.model, $0.kind] }.values
                    .compactMap { same in
                        same.first.map {
                            Commit.Part(model: $0.model, kind: $0.kind, count: same.map(\.count).reduce(0, +))
                        }
                    }
                    .sorted { ($0.model, $0.kind) < ($1.model, $1.kind) }
                let numbers =
                    commits.count == 1
                    ? "commit \(newest.number)"
                    : "\(TextFormatter.grouped(commits.count)) commits from \(oldest.number) to \(newest.number)"
                return "Import \(series.id.canonicalText) by \(newest.account.printable), \(numbers): "
                    + "\(TextFormatter.list(parts.map { $0.words(schema) }))."
            }.sorted()
    }
}

/// A commit or an import to undo.
enum UndoTarget: Sendable, Hashable, ExpressibleByArgument {
    case commit(Int64)
    /// The series of an import.
    case series(UUID)

    var isSeries: Bool { if case .series = self { true } else { false } }

    init?(argument: String) {
        if let number = Int64(argument) {
            // The command refuses the number 0 with advice.
            self = .commit(max(0, number))
        } else if let id = UUID(canonicalText: argument.lowercased()) {
            self = .series(id)
        } else {
            return nil
        }
    }
}

extension RecordChange.Kind {
    fileprivate var pastParticiple: String {
        switch self {
        case .insert: "inserted"
        case .update: "updated"
        case .delete: "deleted"
        case .link: "linked"
        case .unlink: "unlinked"
        }
    }
}

private struct UnknownCommit: Error, CustomStringConvertible {
    let number: Int64

    var description: String {
        "The history has no commit \(number): it is too old, changed nothing with a history, or never was. Nothing was changed."
    }
}

private struct UnknownImportError: Error, CustomStringConvertible {
    let id: UUID

    var description: String {
        "The history has no import \(id.canonicalText): it is too old, changed nothing with a history, or never was. Nothing was changed."
    }
}

private struct AccountCommitError: Error, CustomStringConvertible {
    let number: Int64

    var description: String {
        "Commit \(number) changed accounts, which can’t be undone. Use user. Nothing was changed."
    }
}

/// The error of a command that needs a store in a directory without one.
struct MissingStoreError: Error, CustomStringConvertible {
    let description = "The data directory has no store."
}
