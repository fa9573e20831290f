import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The command that undoes commits, with or without a running server.
struct UndoCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "undo", abstract: "Undo commits, such as those of an import.",
            discussion: """
                Without --yes the command only shows what the commits changed. Each commit is undone by a commit of its own, \
                completely or not at all, the newest first. Newer changes are never overwritten: the first commit that \
                they prevent from being undone ends the command. An undo can be undone too.

                  \(App.commandName) undo 17
                  \(App.commandName) undo 17 18 19 --yes
                """
        )
    }

    @Argument(help: "The numbers of the commits, as Activity and import show them.")
    var commits: [Int64]

    @Flag(help: "Undo the commits. Without it, nothing is changed.")
    var yes = false

    @Flag(help: "Print a report as JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws {
        guard commits.allSatisfy({ $0 > 0 }) else { throw ValidationError("A commit has a number from 1.") }
        guard Set(commits).count == commits.count else { throw ValidationError("Name each commit once.") }
    }

    func run() async throws {
        guard ServerDirectory.hasStore(at: location.path) else { try location.checkExists(); throw NoStore() }
        let app = try AppDefinition(App.self)
        try await DependencyContainer.attached(to: location.path, of: app) { container in
            let wanted = try await found(in: container, schema: app.schema)
            for commit in wanted { Terminal.printLine(commit.words(app.schema)) }
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
            for commit in wanted { done.append(try await undo(commit, in: container)) }
        } catch {
            if json { print(try UndoReport(dryRun: false, commits: done).json) }
            throw error
        }
        if json { print(try UndoReport(dryRun: false, commits: done).json) }
    }

    /// Returns the commits to undo, the newest first.
    ///
    /// - Throws: ``UnknownCommit``; ``AccountsCommit``.
    private func found(in container: DependencyContainer, schema: Schema) async throws -> [UndoReport.Commit] {
        var found: [UndoReport.Commit] = []
        for number in commits.sorted(by: >) {
            guard let summary = try await container.history.commit(number) else { throw UnknownCommit(number: number) }
            let tally = try await container.history.tally(of: number, limit: nil)
            // Undoing a change of an account would restore an old epoch, so that ended sessions would be valid again.
            guard tally.allSatisfy({ schema.model($0.model)?.isBuiltIn != true }) else {
                throw AccountsCommit(number: number)
            }
            found.append(UndoReport.Commit(summary, tally))
        }
        return found
    }

    private func undo(_ commit: UndoReport.Commit, in container: DependencyContainer) async throws
        -> UndoReport.Commit
    {
        let receipt = try await receipt(of: Undo(commit: commit.number, author: CommandAuthor.name), in: container)
        Terminal.printLine("Undid commit \(commit.number) by commit \(receipt.commit).")
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
        }

        let number: Int64
        let account: String
        let time: Date
        let changes: [Part]
        /// The number of the commit that undid this one; nil before.
        var undoneBy: Int64?

        init(_ summary: CommitSummary, _ tally: [ChangeTally]) {
            number = summary.number
            account = summary.author
            time = summary.time
            changes = tally.map { Part(model: $0.model, kind: $0.kind.told, count: $0.count) }
        }

        /// Returns the commit as text: `Commit 17 by ada at …: 3 animals inserted.`
        func words(_ schema: Schema) -> String {
            let parts = changes.map { part in
                "\(schema.model(part.model)?.counted(part.count) ?? "\(part.count) of \(part.model)") \(part.kind)"
            }
            return "Commit \(number) by \(account.printable) at \(time.rfc3339 ?? ""): \(TextFormatter.list(parts))."
        }
    }

    let dryRun: Bool
    let commits: [Commit]
}

extension RecordChange.Kind {
    fileprivate var told: String {
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

private struct AccountsCommit: Error, CustomStringConvertible {
    let number: Int64

    var description: String {
        "Commit \(number) changed accounts, which can’t be undone. Use user. Nothing was changed."
    }
}

/// The error of a command that needs a store in a directory without one.
struct NoStore: Error, CustomStringConvertible {
    let description = "The data directory has no store."
}
