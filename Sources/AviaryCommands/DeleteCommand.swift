import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The command that deletes the records that match a query, with or without a running server.
struct DeleteCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete", abstract: "Delete the records that match a query.",
            discussion: """
                The query is the part of a list’s address after the question mark, such as q=emu or filter.diet=herbivorous. \
                The command first counts the records and those that delete rules include. It then deletes all of them in one \
                commit, or none, and prints the command that undoes it. A large delete runs in steps, between which others can \
                save. Ctrl-C before the commit stops it; then nothing is deleted.

                  \(App.commandName) delete Animal --query 'filter.diet=herbivorous&filter.category.empty=1' --dry-run
                  \(App.commandName) delete Animal --query 'q=test' --yes
                """
        )
    }

    @OptionGroup var selection: RecordSelection

    func run() async throws {
        let app = try AppDefinition(App.self)
        let checkSignals = DependencyContainer.signalCheck()
        try await selection.withRecords(of: app) { records, container in
            let progress = ProgressLine(writesToOutput: selection.json)
            defer { progress.clear() }
            let model = records.model
            let ids = try await records.identifiers { count in
                try checkSignals()
                progress.show("Found \(model.counted(count))")
                guard count <= CommandRecords.mostDeleted else { throw TooManyToDelete() }
            }
            let plan = try await records.deletePlan(for: ids)
            progress.clear()
            var report = DeleteReport(dryRun: selection.dryRun, model: model, matched: ids.count, plan)
            for line in report.lines(app.schema) { Terminal.printLine(line) }
            guard plan.obstacles.isEmpty else {
                if selection.json { print(try report.json) }
                throw DeleteObstructed()
            }
            guard !ids.isEmpty, !selection.dryRun, selection.confirms("Delete \(model.counted(plan.requested))?") else {
                if selection.json { print(try report.json) }
                return Terminal.printLine("Nothing was changed.")
            }
            try checkSignals()
            let log = BulkChangeLog(app: app)
            let deletion = Deletion(
                // The error of the check says only that a signal came.
                app: app, container: container, progress: progress, isStopped: { (try? checkSignals()) == nil })
            let receipt = try await deletion.delete(
                ids, of: records, cascadeLimit: selection.yes ? nil : plan.cascadeCount)
            report.note(receipt, milliseconds: log.milliseconds)
            progress.clear()
            log.note(
                "delete", of: model,
                ["records": plan.requested, "along": plan.cascadeCount, "commit": Int(receipt.commit)])
            if selection.json { print(try report.json) }
            Terminal.printLine("Deleted \(TextFormatter.list(report.deletedWords(app.schema))).")
            Terminal.printLine("To undo it: \(App.commandName) undo \(receipt.commit)\(selection.dataFlag) --yes")
        }
    }

    /// The delete with its progress and its event.
    private struct Deletion {
        let app: AppDefinition
        let container: DependencyContainer
        let progress: ProgressLine
        let isStopped: @Sendable () -> Bool

        func delete(_ ids: [UUID], of records: CommandRecords, cascadeLimit: Int?) async throws -> Receipt {
            let changeSet = UUID.version7(), progress = progress
            let show: @Sendable (LongChangeStatus) -> Void = { status in
                progress.show(TextFormatter.capitalized(status.words))
            }
            let receipt: Receipt
            do {
                receipt = try await records.delete(
                    ids, as: changeSet, cascadeLimit: cascadeLimit, report: show, isStopped: isStopped)
            } catch let error as StoreError where error.code == .stopped {
                progress.clear()
                throw NothingDeleted()
            }
            await container.noteEvent(.recordDelete, id: changeSet, of: records.model, count: ids.count) {
                Terminal.printLine("Warning: the audit log has no entry for this delete: \($0)")
            }
            let isComplete = await container.finishLongChange(changeSet, report: show) { !isStopped() }
            progress.clear()
            if !isComplete {
                Terminal.printLine("The delete is stored. The store removes the rest of the rows by itself.")
            }
            return receipt
        }
    }
}

/// The result of `delete`, for `--json`.
struct DeleteReport: Encodable {
    let dryRun: Bool
    let model: String
    let matched: Int
    /// The numbers of deleted records, by model, with those that delete rules take along.
    let deleted: [String: Int]
    /// The numbers of records that lose a reference, or links, by model.
    let lostReferences: [String: Int]
    let lostLinks: [String: Int]
    /// The reasons for which the records cannot be deleted.
    let obstacles: [String]
    /// The number of the commit; nil when nothing was deleted.
    private(set) var commit: Int64?
    private(set) var milliseconds: Int?

    private let cascades: [String: Int]
    private let requested: Int

    private enum CodingKeys: String, CodingKey {
        case dryRun, model, matched, deleted, lostReferences, lostLinks, obstacles, commit, milliseconds
    }

    init(dryRun: Bool, model: ModelSchema, matched: Int, _ plan: DeletePlan) {
        self.dryRun = dryRun
        self.model = model.name
        self.matched = matched
        cascades = plan.cascades
        requested = plan.requested
        deleted = plan.cascades.merging([model.name: plan.requested], uniquingKeysWith: +)
        lostReferences = plan.nullifies
        lostLinks = plan.unlinks
        obstacles = plan.obstacles.map(\.sentence)
    }

    mutating func note(_ receipt: Receipt, milliseconds: Int) {
        commit = receipt.commit
        self.milliseconds = milliseconds
    }

    /// Returns what the delete does: a line for the records, and one for each effect on others.
    func lines(_ schema: Schema) -> [String] {
        func words(_ counts: [String: Int]) -> String { TextFormatter.list(Self.words(counts, schema)) }
        guard matched > 0 else { return ["No \(schema.model(model)?.pluralName ?? model) match."] }
        var lines = ["Matching: \(words([model: requested]))."]
        if !cascades.isEmpty { lines.append("Deleted with them: \(words(cascades)).") }
        if !lostReferences.isEmpty { lines.append("Lose their reference: \(words(lostReferences)).") }
        if !lostLinks.isEmpty { lines.append("Lose links: \(words(lostLinks)).") }
        return lines + obstacles
    }

    /// Returns the deleted records, by model: `3 animals`, `2 visits`.
    func deletedWords(_ schema: Schema) -> [String] { Self.words(deleted, schema) }

    private static func words(_ counts: [String: Int], _ schema: Schema) -> [String] {
        schema.models.compactMap { model in counts[model.name].map(model.counted) }
    }
}

extension DeleteObstacle {
    fileprivate var sentence: String {
        switch self {
        case .referrers(let model, let count, let first):
            "Prevented by \(TextFormatter.grouped(count)) of \(model) that refer to them, such as \(Self.list(first))."
        case .relatedCount(let model, let property, let count, let allowed, let first):
            "Prevented by \(TextFormatter.grouped(count)) of \(model) that would not have \(allowed) of \(property), such as \(Self.list(first))."
        }
    }

    private static func list(_ ids: [UUID]) -> String { TextFormatter.list(ids.map(\.canonicalText)) }
}

private struct TooManyToDelete: Error, CustomStringConvertible {
    let description =
        "More than \(TextFormatter.grouped(CommandRecords.mostDeleted)) records match. Delete them in parts, with a filter. Nothing was changed."
}

private struct DeleteObstructed: Error, CustomStringConvertible {
    let description = "Nothing was changed. Delete or change the records that prevent it first."
}

private struct NothingDeleted: Error, CustomStringConvertible {
    let description = "Stopped. Nothing was deleted."
}
