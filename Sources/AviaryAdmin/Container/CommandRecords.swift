package import AviaryDomain
import AviaryIPC
package import Foundation
import Logging

/// The records of a model that a command changes together: those that match conditions.
package struct CommandRecords: Sendable {
    /// The largest number of records of one delete, which is one change set.
    package static let mostDeleted = 1_000_000
    /// The number of records that are read, or stored by one commit, together.
    private static let readTogether = 10_000
    private static let storedTogether = 500
    /// The largest number of attempts to store records that others change at the same time.
    private static let mostAttempts = 5

    package let model: ModelSchema
    private let conditions: [QueryExpression]
    private let container: DependencyContainer
    private let admin: AdminModel

    /// Creates the collection; nil for a model that the admin does not declare.
    package init?(of model: ModelSchema, matching conditions: [QueryExpression], in container: DependencyContainer) {
        guard let admin = container.model(named: model.name) else { return nil }
        self.model = model
        self.conditions = conditions
        self.container = container
        self.admin = admin
    }

    /// Returns the ids of the records, in their order.
    ///
    /// - Parameter report: A closure that is called with the number of those found so far. An error ends the search.
    /// - Throws: `ReadError`; the errors of `report`.
    package func identifiers(report: (Int) throws -> Void) async throws -> [UUID] {
        var found: [UUID] = []
        while true {
            let rest = found.last.map { [QueryExpression.ordered(.greater, .id, .constant($0.fieldValue))] } ?? []
            let part = try await admin.records.identifiers(
                RecordQuery(condition: condition(conditions + rest), limit: Self.readTogether))
            found += part
            try report(found.count)
            guard part.count == Self.readTogether else { return found }
        }
    }

    /// Returns what a delete of records would do.
    package func deletePlan(for ids: [UUID]) async throws -> DeletePlan {
        try await admin.repository.deletePlan(for: ids)
    }

    /// Deletes the records as one commit, all or none.
    ///
    /// A large delete is made in steps, between which the store serves others. It is stopped when `isStopped` returns
    /// true before its commit.
    ///
    /// - Parameters:
    ///   - ids: The ids of the records.
    ///   - changeSet: The id of the change set.
    ///   - cascadeLimit: The greatest number of further records that delete rules may delete; nil for no limit.
    ///   - report: A closure that is called from time to time with the progress of a large delete.
    ///   - isStopped: A closure that says whether to stop the delete.
    /// - Throws: `StoreError`, `stopped` after a stop.
    package func delete(
        _ ids: [UUID], as changeSet: UUID, cascadeLimit: Int?,
        report: @escaping @Sendable (LongChangeStatus) -> Void, isStopped: @escaping @Sendable () -> Bool
    ) async throws -> Receipt {
        let deletion = ChangeSet(
            id: changeSet, author: CommandAuthor.name, changes: ids.map { .delete(model: model.name, id: $0) },
            cascadeLimit: cascadeLimit)
        return try await withThrowingTaskGroup(of: Receipt?.self) { [container] group in
            group.addTask {
                try await container.submitWaiting(
                    deletion, check: { if isStopped() { throw CommandInterrupted() } }, wait: { _ in })
            }
            group.addTask {
                await container.watchLongChange(changeSet, report: report) { !isStopped() }
                // The store answers the request, with an error if the change was not committed yet. It may not have
                // begun the change by now.
                while !Task.isCancelled {
                    try await container.stopLongChange(changeSet)
                    do { try await Task.sleep(for: DependencyContainer.pauseBetweenLooks) } catch { break }
                }
                return nil
            }
            while let receipt = try await group.next() {
                guard let receipt else { continue }
                group.cancelAll()
                return receipt
            }
            throw StoreError.unanswered
        }
    }

    /// Returns what an update would do, reading all records.
    ///
    /// - Parameters:
    ///   - ids: The ids of the records.
    ///   - report: A closure that is called with the number of records that are examined.
    package func plan(
        _ update: RecordUpdate, of ids: [UUID], report: (Int) throws -> Void
    ) async throws -> (plan: RecordUpdate.Plan, changed: Int) {
        var whole = RecordUpdate.Plan(), changed = 0, examined = 0
        for part in parts(of: ids) {
            let plan = try await update.plan(for: try await records(part), lookUp: StoredRecords(container: container))
            whole.count(plan)
            changed += plan.changes.count
            examined += part.count
            try report(examined)
        }
        return (whole, changed)
    }

    /// The part of an update that is stored.
    package struct StoredUpdate: Sendable {
        package var changed = 0
        package var unchanged = 0
        package var commits: [Int64] = []
        /// The number of records that have been looked at.
        package var examined = 0

        package init() {}
    }

    /// Updates the records that still match, by one commit for each part of them.
    ///
    /// - Parameters:
    ///   - ids: The ids of the records.
    ///   - series: The series of the commits, which can be undone together.
    ///   - stored: The part that is stored, also after an error.
    ///   - report: A closure that is called with the part that is stored. An error ends the update.
    /// - Throws: `StoreError`; `ReadError`; the errors of `report`.
    package func update(
        _ update: RecordUpdate, of ids: [UUID], as series: ChangeSetSeries, stored: inout StoredUpdate,
        report: @escaping @Sendable (StoredUpdate) throws -> Void
    ) async throws {
        for part in parts(of: ids) {
            let current = stored
            var plan = RecordUpdate.Plan()
            for attempt in 1... {
                plan = try await update.plan(for: try await records(part), lookUp: StoredRecords(container: container))
                if let problem = plan.problems.first {
                    throw StoreError.invalid(
                        model: model.name, [FieldProblem(property: "", message: problem.message)])
                }
                guard !plan.changes.isEmpty else { break }
                do {
                    let receipt = try await container.submitWaiting(
                        ChangeSet(
                            id: series.changeSet(part), author: CommandAuthor.name, changes: plan.changes),
                        check: { try report(current) }, wait: { _ in })
                    stored.commits.append(receipt.commit)
                    break
                } catch let error as StoreError where error.isWriteConflict && attempt < Self.mostAttempts {
                    continue
                }
            }
            stored.changed += plan.changes.count
            stored.unchanged += plan.unchanged
            stored.examined += part.count
            try report(stored)
        }
    }

    private func records(_ ids: [UUID]) async throws -> [Record] {
        try await admin.records.fetch(
            RecordQuery(condition: condition(conditions + [.isMember(.id, of: ids.map(\.fieldValue))]))
        ) { $0 }
    }

    private func condition(_ conditions: [QueryExpression]) -> QueryExpression? {
        conditions.isEmpty ? nil : .all(conditions)
    }

    private func parts(of ids: [UUID]) -> some Sequence<[UUID]> {
        stride(from: 0, to: ids.count, by: Self.storedTogether).lazy.map {
            Array(ids[$0..<min($0 + Self.storedTogether, ids.count)])
        }
    }
}

extension DependencyContainer {
    /// The pause between two looks at the progress of a large change.
    fileprivate static var pauseBetweenLooks: Duration { .milliseconds(200) }

    /// The progress of the large delete or undo under way; nil if there is none, or if the store does not answer.
    package func longChange() async -> LongChangeStatus? {
        await storeStatus()?.longChange
    }

    /// Stops a large delete or undo that is not committed yet, so that nothing of it is done.
    ///
    /// - Throws: `StoreError` if the store cannot be asked.
    package func stopLongChange(_ changeSet: UUID) async throws(StoreError) {
        if let storeService { return await storeService.stopLongChange(changeSet) }
        _ = try await client?.stopLongChange(changeSet)
    }

    /// Stops a delete for good unless it is committed: also one that the store gets later, or continues after a crash.
    ///
    /// Afterwards the ledger has its outcome, and the same change set cannot be submitted again.
    ///
    /// - Parameter patience: The time for which the store may take the request.
    /// - Throws: `StoreError` if the store cannot be asked. The delete may be stopped nevertheless.
    func discardDelete(_ changeSet: UUID, patience: Duration = StoreClient.patience) async throws(StoreError) {
        do {
            if let client {
                try await client.discard(draft: changeSet, patience: patience)
            } else {
                try await ledger.discard(draft: changeSet)
            }
        } catch {
            // A full disk refuses the discard. A change that is under way or waits can be stopped without it.
            try? await stopLongChange(changeSet)
            throw error
        }
        // The discard is enough. This answers a requester that waits for another change.
        try? await stopLongChange(changeSet)
    }

    /// Reports the progress of a large change until the task is cancelled or `continues` returns false.
    func watchLongChange(
        _ changeSet: UUID, report: (LongChangeStatus) -> Void, while continues: () -> Bool
    ) async {
        while continues() {
            do { try await Task.sleep(for: Self.pauseBetweenLooks) } catch { return }
            if let status = await longChange(), status.changeSet == changeSet { report(status) }
        }
    }

    /// Waits until the store has removed the rows of a committed change, or `continues` returns false.
    ///
    /// - Returns: False if rows are left, which the store removes by itself.
    package func finishLongChange(
        _ changeSet: UUID, report: (LongChangeStatus) -> Void, while continues: () -> Bool
    ) async -> Bool {
        while let status = await longChange(), status.changeSet == changeSet {
            guard continues() else { return false }
            report(status)
            do { try await Task.sleep(for: Self.pauseBetweenLooks) } catch { return false }
        }
        return true
    }
}

extension DependencyContainer {
    /// Records that a command changes many records.
    ///
    /// - Parameters:
    ///   - kind: The kind of the event.
    ///   - id: The id of the event, by which Activity finds the commits.
    ///   - model: The model of the records.
    ///   - count: The number of records.
    ///   - warn: A closure that is called with the reason when the event cannot be stored. The change itself does not
    ///     depend on it.
    package func noteEvent(
        _ kind: AuditEvent.Kind, id: UUID, of model: ModelSchema, count: Int, warn: (StoreError) -> Void
    ) async {
        let event = AuditEvent(
            kind, id: id, at: Date(), account: CommandAuthor.name, subject: "\(model.name) \(count)")
        do {
            _ = try await writer.submit(ChangeSet(author: CommandAuthor.name, changes: [event.insertion]))
        } catch {
            warn(error)
        }
    }

    /// Writes a line to the log of a command.
    package static func note(_ message: String, of app: AppDefinition, _ metadata: [String: String]) {
        Logger.standard(app).notice("\(message)", metadata: metadata.mapValues { "\($0)" })
    }
}
