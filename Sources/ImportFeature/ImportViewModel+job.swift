package import AviaryDomain
package import Foundation

// An import goes on after the answer to whoever began it: a reload or a slow store takes nothing away.
extension ImportViewModel {
    /// Begins to import the file as the form says.
    ///
    /// - Throws: ``AccessRefusal``, ``ImportFileError``.
    package static func begin(
        _ file: String, form: [FormField], for schema: ModelSchema, in models: Schema, principal: Principal,
        files: any ImportFiles, target: ImportTarget, at time: Date
    ) async throws {
        try check(principal, schema)
        let job = ImportJob(of: file, form: form.filter { ImportSettings.isField($0.name) }, at: time)
        try await files.begin(job, of: owner(principal), for: schema.name) { source, notes in
            await run(job, source, for: schema, in: models, principal: principal, target: target, notes)
        }
    }

    /// The import of the file; nil when it was not begun, or another was since.
    ///
    /// - Throws: ``AccessRefusal``; what asking the store throws.
    package static func job(
        of file: String, for schema: ModelSchema, principal: Principal, files: any ImportFiles, target: ImportTarget
    ) async throws -> ImportJob? {
        guard var job = try await lastJob(for: schema, principal: principal, files: files), job.file == file else { return nil }
        if job.state != .running, let sent = job.sent { job.settle(commit: try await target.commit(sent.changeSet)) }
        return job
    }

    /// - Throws: ``AccessRefusal``.
    package static func lastJob(
        for schema: ModelSchema, principal: Principal, files: any ImportFiles
    ) async throws(AccessRefusal) -> ImportJob? {
        try check(principal, schema)
        return await files.job(of: owner(principal), for: schema.name)
    }

    /// Whose a file is.
    package static func owner(_ principal: Principal) -> String { principal.account.canonicalText }

    private static func run(
        _ job: ImportJob, _ source: any ImportSource, for schema: ModelSchema, in models: Schema, principal: Principal,
        target: ImportTarget, _ notes: any JobNotes<ImportJob>
    ) async -> ImportJob {
        var job = job
        var sent: ImportJob.SentBatch?
        do {
            let columns = try source.columns()
            let records = records(ImportSettings(job.form, columns: columns.count), columns, schema, models, principal)
            job.stored = try await records.run(source, lookUp: target.lookUp) { progress in
                await notes.note { $0.progress = progress }
                // There are others to be answered.
                await Task.yield()
            } store: { batch in
                let changeSet = batch.changeSet(author: principal.name, in: job.series.map { ChangeSetSeries($0) })
                let next = ImportJob.SentBatch(changeSet: changeSet.id, report: batch.report)
                // Before it is sent, so that it is known what to ask the store for when this process ends.
                try await notes.keep { $0.sent = next }
                sent = next
                let receipt = try await target.store(changeSet)
                sent = nil
                await notes.note { $0.settle(commit: receipt.commit) }
                return receipt
            }
            job.state = .done
        } catch let error as ImportError {
            job.fail(error)
        } catch let error as ImportInterruption {
            job.stored = error.stored
            job.fail(error.reason, whileSending: sent)
        } catch {
            job.fail(error, whileSending: sent)
        }
        return job
    }
}

extension ImportJob {
    fileprivate mutating func fail(_ error: any Error, whileSending batch: SentBatch?) {
        state = .failed
        switch error as? StoreError {
        case .unanswered, .unavailable: sent = batch
        default: sent = nil
        }
        reason = (error as? StoreError)?.description ?? (error as? ImportError)?.description ?? error.redactedText
    }
}
