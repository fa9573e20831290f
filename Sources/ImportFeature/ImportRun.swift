import AviaryDomain
import Foundation

/// The work of an import: stores the lines that follow those that its job has stored, batch by batch.
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
            guard try await target.restoreEpoch() == job.restoreEpoch else {
                job.state = .failed
                job.reason = localized(
                    "A backup was restored after the import was started. Upload the file again.")
                return job
            }
            if let sent = job.sent, let commit = try await target.commit(sent.changeSet) {
                try await settle(&job, commit, notes)
            }
            let columns = try source.columns()
            let records = ImportViewModel.records(
                ImportSettings(job.form, columns: columns.count), columns, schema, models, principal
            )
            try await store(records, source, in: &job, notes)
            job.state = .done
        } catch let error as ImportError {
            job.fail(error, importing: schema)
        } catch {
            job.fail(error)
        }
        return job
    }

    private func store(
        _ records: RecordImport, _ source: any ImportSource, in job: inout ImportJob, _ notes: any JobNotes<ImportJob>
    ) async throws {
        // This batch was sent before and may still be in flight. The same lines are sent as the same change set,
        // which the store commits once.
        let open = job.sent
        do {
            let stored = try await records.run(
                source, behind: job.stored, firstBatchTo: open?.report.lastLine, lookUp: target.lookUp
            ) { progress in
                await notes.note { $0.progress = progress }
                // The task yields so that the process can answer other requests.
                await Task.yield()
            } store: { batch in
                let isOpen = batch.report.lastLine == open?.report.lastLine
                if !isOpen { try await skip(job.sent) }
                return try await send(batch, as: isOpen ? open?.changeSet : nil, in: &job, notes)
            }
            try await skip(job.sent)
            (job.stored, job.sent) = (stored, nil)
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
            try await settle(&job, commit, notes)
            try await store(records, source, in: &job, notes)
        }
    }

    private func send(
        _ batch: ImportPlan, as id: UUID?, in job: inout ImportJob, _ notes: any JobNotes<ImportJob>
    ) async throws -> Receipt {
        // An account that is disabled, or is no longer allowed to import, stores nothing further, however long the
        // file is.
        guard try await target.isGood(principal) else { throw AccountEnded() }
        let planned = batch.changeSet(author: principal.name, in: job.series.map { ChangeSetSeries($0) }, as: id)
        let changeSet = ChangeSet(
            id: planned.id, author: planned.author,
            changes: principal.leavingDefaults(to: planned.changes, models.model))
        // No offered column fills such a property, so this is only a safeguard.
        guard principal.refusedProperty(in: changeSet.changes, models.model) == nil else {
            throw AccessError.forbidden
        }
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

    /// Throws an error if a batch that has nothing left to store was committed after all.
    ///
    /// A batch has nothing left to store if it arrived after the store was asked for it, or if others stored the
    /// same.
    private func skip(_ batch: ImportJob.SentBatch?) async throws {
        if let batch, try await target.commit(batch.changeSet) != nil { throw ArrivedLate() }
    }

    private func settle(_ job: inout ImportJob, _ commit: Int64, _ notes: any JobNotes<ImportJob>) async throws {
        job.settle(commit: commit)
        try await notes.keep { [job] in $0 = job }
    }
}

/// The error for a batch that was sent before and has been committed by now.
private struct ArrivedLate: Error {}

extension Error {
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
    fileprivate mutating func fail(_ error: any Error) {
        state = .failed
        reason =
            (error as? StoreError)?.description ?? (error as? AccountEnded)?.description ?? error.redactedText
    }
}
