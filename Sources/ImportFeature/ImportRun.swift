package import AviaryDomain
import Foundation

/// The work of an import in the admin: stores the lines that follow those that its job has stored, batch by batch.
struct ImportRun: Sendable {
    let schema: ModelSchema
    let models: Schema
    let principal: Principal
    let target: ImportTarget

    /// Runs the import.
    ///
    /// - Parameter job: The job. Nobody else runs it at the same time.
    /// - Returns: The job in its final state.
    func callAsFunction(_ job: ImportJob, _ source: any ImportSource, _ notes: any JobNotes<ImportJob>) async
        -> ImportJob
    {
        var job = job
        do {
            guard try await target.restoreEpoch() == job.restoreEpoch else { throw StoreRestoredError() }
            try await ImportSteps.settle(&job, target, notes)
            let columns = try source.columns()
            let records = ImportViewModel.records(
                ImportSettings(job.form, columns: columns.count), columns, schema, models, principal
            )
            let steps = ImportSteps(records, source, to: target, author: principal.name) { plan in
                // An account that is disabled, or is no longer allowed to import, stores nothing further, however
                // long the file is.
                guard try await target.isGood(principal) else { throw AccountEndedError() }
                let changes = principal.leavingDefaults(to: plan.changes, models.model)
                // No offered column fills such a property, so this is only a safeguard.
                guard principal.refusedProperty(in: changes, models.model) == nil else { throw AccessError.forbidden }
                return changes
            }
            try await steps.run(&job, notes) { progress in
                await notes.note { $0.progress = progress }
                // The task yields so that the process can answer other requests.
                await Task.yield()
            }
            job.state = .done
        } catch let error as ImportError {
            job.fail(error, importing: schema)
        } catch is StoreRestoredError {
            job.state = .failed
            job.reason = localized("A backup was restored after the import was started. Upload the file again.")
        } catch {
            job.fail(error)
            guard error.isPassing else { return job }
            // A store that starts or is busy takes the rest later.
            job.state = .interrupted
            if !job.continuesByItself { job.state = .failed }
        }
        return job
    }
}

/// The storing of a file in batches, which continues behind the lines that its job has stored.
///
/// All batches belong to the series of the job, so that they are one entry of the activity and can be undone together.
package struct ImportSteps {
    private let records: RecordImport
    private let source: any ImportSource
    private let target: ImportTarget
    private let author: String
    private let changes: (ImportPlan) async throws -> [Change]

    /// Creates the steps of an import.
    ///
    /// - Parameters:
    ///   - changes: A closure that returns the changes of a batch to send. An error ends the import.
    package init(
        _ records: RecordImport, _ source: any ImportSource, to target: ImportTarget, author: String,
        changes: @escaping (ImportPlan) async throws -> [Change] = { $0.changes }
    ) {
        self.records = records
        self.source = source
        self.target = target
        self.author = author
        self.changes = changes
    }

    /// Asks the store for the batch that a job sent before its process ended.
    ///
    /// - Throws: The errors of the target and of the notes.
    package static func settle(
        _ job: inout ImportJob, _ target: ImportTarget, _ notes: any JobNotes<ImportJob>
    ) async throws {
        guard let sent = job.sent, let commit = try await target.commit(sent.changeSet) else { return }
        try await settle(&job, commit, notes)
    }

    /// Stores the lines that follow those that the job has stored.
    ///
    /// - Parameters:
    ///   - job: The job. Nobody else runs it at the same time. After an error it says how much is stored.
    ///   - report: A closure that is called from time to time with the progress. An error ends the import.
    ///   - reject: A closure that is called with the wrong lines, before anything is stored, when the import leaves
    ///     some out.
    /// - Throws: ``ImportError``; the reason for which a batch was not stored, or may not have been.
    package func run(
        _ job: inout ImportJob, _ notes: any JobNotes<ImportJob>, report: (ImportProgress) async throws -> Void,
        reject: (RejectedRecords) async throws -> Void = { _ in }
    ) async throws {
        // This batch was sent before and may still be in flight. The same lines are sent as the same change set,
        // which the store commits once.
        let open = job.sent
        var hasStored = !job.stored.commits.isEmpty
        do {
            var stored = try await records.run(
                source, behind: job.stored, firstBatchTo: open?.report.lastLine, lookUp: target.lookUp, report: report,
                reject: { rejected in
                    // A later run finds the wrong lines behind those that are stored, and no others.
                    if job.leftOut == nil {
                        let count = rejected.reasons.count
                        job.leftOut = count
                        try await notes.keep { $0.leftOut = count }
                    }
                    try await reject(rejected)
                }
            ) { batch in
                let isOpen = batch.report.lastLine == open?.report.lastLine
                if !isOpen { try await skip(job.sent) }
                // An import that stores nothing has no event.
                if hasStored { try await addEvent(of: &job) }
                let receipt = try await send(batch, as: isOpen ? open?.changeSet : nil, in: &job, notes)
                hasStored = true
                return receipt
            }
            try await skip(job.sent)
            stored.rejected = max(stored.rejected, job.leftOut ?? 0)
            (job.stored, job.sent) = (stored, nil)
            if !stored.commits.isEmpty { try await addEvent(of: &job) }
            try await checkEpoch(of: job)
        } catch {
            guard let open, open.changeSet == job.sent?.changeSet else {
                guard let interruption = error as? ImportInterruption else { throw error }
                job.stored = interruption.stored
                throw interruption.reason
            }
            job.sent = open
            // If the store cannot be reached, the original error is reported.
            guard let commit = try? await target.commit(open.changeSet) else {
                throw (error as? ImportInterruption)?.reason ?? error
            }
            // A plan made without this batch is made again: it refers to records that were never stored, or
            // attributes the batch's lines to others.
            try await Self.settle(&job, commit, notes)
            try await run(&job, notes, report: report, reject: reject)
        }
    }

    /// Adds the event of the import to the audit log, unless it is there.
    private func addEvent(of job: inout ImportJob) async throws {
        guard job.hasEvent != true, let event = AuditEvent(of: job, into: records.model, by: author) else { return }
        // The store recognizes a repetition by the id.
        try await target.addEvent(ChangeSet(id: event.id.uuid, author: author, changes: [event.insertion]))
        job.hasEvent = true
    }

    private func send(
        _ batch: ImportPlan, as id: UUID?, in job: inout ImportJob, _ notes: any JobNotes<ImportJob>
    ) async throws -> Receipt {
        let changes = try await changes(batch)
        try await checkEpoch(of: job)
        let planned = batch.changeSet(author: author, in: job.series.map { ChangeSetSeries($0) }, as: id)
        let changeSet = ChangeSet(id: planned.id, author: author, changes: changes)
        let next = ImportJob.SentBatch(changeSet: changeSet.id, report: batch.report)
        // The batch is noted before it is sent, so that the store can be asked for it if this process ends.
        try await notes.keep { $0.sent = next }
        job.sent = next
        do {
            let receipt = try await target.store(changeSet)
            job.sent = nil
            await notes.note { $0.settle(commit: receipt.commit) }
            return receipt
        } catch {
            // If the batch was sent before, the first attempt may still be in flight.
            if id == nil, error.isRefusal { job.sent = nil }
            throw error
        }
    }

    /// Throws an error if a backup was restored since the import began: the earlier lines are no longer stored.
    private func checkEpoch(of job: ImportJob) async throws {
        // If the store cannot be read now, the batch waits for it, and the next check finds a restore.
        guard let epoch = job.restoreEpoch, let now = try? await target.restoreEpoch(), now != epoch else { return }
        throw StoreRestoredError()
    }

    /// Throws an error if a batch that has nothing left to store was committed after all.
    ///
    /// A batch has nothing left to store if it arrived after the store was asked for it, or if others stored the
    /// same.
    private func skip(_ batch: ImportJob.SentBatch?) async throws {
        if let batch, try await target.commit(batch.changeSet) != nil { throw LateBatchError() }
    }

    private static func settle(
        _ job: inout ImportJob, _ commit: Int64, _ notes: any JobNotes<ImportJob>
    ) async throws {
        job.settle(commit: commit)
        try await notes.keep { [job] in $0 = job }
    }
}

/// The error of an import during which a backup was restored.
package struct StoreRestoredError: Error, CustomStringConvertible {
    package let description = "A backup was restored during the import. Look which of its lines are stored."
}

/// The error for a batch that was sent before and has been committed by now.
private struct LateBatchError: Error {}

extension Error {
    /// Indicates whether the same work can succeed a moment later, such as after the start of the store.
    fileprivate var isPassing: Bool {
        switch (self as? StoreError)?.reason {
        case .unanswered, .unavailable, .busy: true
        default: self is ReadError
        }
    }

    /// Indicates whether the store rejected the change set permanently, so that a retry cannot succeed.
    fileprivate var isRefusal: Bool {
        switch (self as? StoreError)?.reason {
        // An earlier attempt may still be in flight.
        case nil, .unanswered, .unavailable, .busy, .outOfSpace: false
        default: true
        }
    }
}

extension ImportJob {
    mutating func fail(_ error: any Error) {
        state = .failed
        reason =
            (error as? StoreError)?.description ?? (error as? AccountEndedError)?.description ?? error.redactedText
    }
}
