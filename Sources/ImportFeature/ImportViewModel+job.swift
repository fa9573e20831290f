package import AviaryDomain
package import Foundation

// An import goes on after the answer to whoever began it: a reload or a slow store takes nothing away.
extension ImportViewModel {
    /// Begins to import the file as the form says.
    ///
    /// - Throws: ``AccessRefusal``, ``ImportFileError``; what asking the store throws.
    package static func begin(
        _ file: String, form: [FormField], for schema: ModelSchema, in models: Schema, principal: Principal,
        files: any ImportFiles, target: ImportTarget, at time: Date
    ) async throws {
        try check(principal, schema)
        var job = ImportJob(of: file, form: form.filter { ImportSettings.isField($0.name) }, at: time)
        job.restoreEpoch = try await target.restoreEpoch()
        let run = ImportRun(schema: schema, models: models, principal: principal, target: target)
        try await files.begin(job, of: owner(principal), for: schema.name) { [job] source, notes in
            await run(job, source, notes)
        }
    }

    /// Goes on with the import of the file behind the last line that is stored.
    ///
    /// - Throws: ``AccessRefusal``, ``ImportFileError``; what asking the store throws.
    package static func goOn(
        with file: String, for schema: ModelSchema, in models: Schema, principal: Principal, files: any ImportFiles,
        target: ImportTarget
    ) async throws {
        let epoch = try await target.restoreEpoch()
        guard let job = try await lastJob(for: schema, principal: principal, files: files), job.file == file,
            job.state == .running || job.restoreEpoch == epoch
        else { throw ImportFileError.gone }
        let run = ImportRun(schema: schema, models: models, principal: principal, target: target)
        try await files.goOn(with: file, of: owner(principal), for: schema.name) { job, source, notes in
            await run(job, source, notes)
        }
    }

    /// Whether an import that stopped can go on: its file is still there, and what it stored was not replaced by a restore.
    package static func canGoOn(
        _ job: ImportJob, for schema: ModelSchema, principal: Principal, files: any ImportFiles, target: ImportTarget
    ) async -> Bool {
        guard job.hasStopped, await files.isWaiting(job.file, of: owner(principal), for: schema.name) else {
            return false
        }
        // While the store cannot be read, it cannot go on either, and what came of it so far is told all the same.
        guard let epoch = try? await target.restoreEpoch() else { return false }
        return job.restoreEpoch == epoch
    }

    /// The import of the file; nil when it was not begun, or another was since.
    ///
    /// - Throws: ``AccessRefusal``; what asking the store throws.
    package static func job(
        of file: String, for schema: ModelSchema, principal: Principal, files: any ImportFiles, target: ImportTarget
    ) async throws -> ImportJob? {
        guard var job = try await lastJob(for: schema, principal: principal, files: files), job.file == file else {
            return nil
        }
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
}
