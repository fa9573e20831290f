package import AviaryDomain
package import Foundation

/// A file of records that somebody brought: how it would be understood, and what would come of it.
package struct ImportViewModel: Sendable {
    /// Of the file's lines so many are looked at before it is imported.
    static let previewedLines = 1000
    static let shownLines = 8
    /// What a worker, which has others to serve, keeps of a file in memory.
    static let limits = RecordImport.Limits(records: 500_000, together: 20_000)

    package let schema: ModelSchema
    package let settings: ImportSettings
    package let preview: ImportPreview
    /// The import that was tried, and nothing was stored by; nil before.
    let tried: ImportJob?
    let models: Schema
    let principal: Principal

    /// - Parameters:
    ///   - form: What was chosen; nil for what is thought of first.
    ///   - tried: What came of it when it was to be imported as the form says.
    /// - Throws: ``AccessRefusal``; ``ImportError`` where the file has no columns; what reading throws.
    package init(
        _ source: any ImportSource, form: [FormField]?, for schema: ModelSchema, in models: Schema,
        principal: Principal,
        lookUp: any RecordLookUp, tried: ImportJob? = nil
    ) async throws {
        try Self.check(principal, schema)
        let columns = try source.columns()
        let settings =
            form.map { ImportSettings($0, columns: columns.count) }
            ?? ImportSettings(properties: RecordImport(model: schema, schema: models).suggestion(for: columns))
        self.schema = schema
        self.models = models
        self.principal = principal
        self.settings = settings
        self.tried = tried
        preview = try await Self.records(settings, columns, schema, models, principal)
            .preview(source, lookUp: lookUp, lines: Self.previewedLines, shown: Self.shownLines)
    }

    package static func check(_ principal: Principal, _ schema: ModelSchema) throws(AccessRefusal) {
        guard principal.may(.view, schema.name) else { throw .hidden }
        guard principal.may(.add, schema.name) else { throw .forbidden }
    }

    static func records(
        _ settings: ImportSettings, _ columns: [String], _ schema: ModelSchema, _ models: Schema, _ principal: Principal
    ) -> RecordImport {
        let offered = Set(offered(schema, models, principal).map(\.name))
        let mapping = settings.mapping(of: columns).filter { $0.property == "id" || offered.contains($0.property) }
        return RecordImport(
            model: schema, schema: models,
            // None at all would be taken for every column of a property's name.
            mapping: mapping.isEmpty ? [FieldMapping(property: "id", column: "")] : mapping,
            nullMarkers: Set(settings.nullMarkers),
            createRelated: settings.createsRelated && mayCreateRelated(schema, models, principal),
            match: match(settings.match, schema, principal),
            limits: limits
        )
    }

    /// Nobody finds out through a file which records have a value that they may not see.
    private static func match(_ match: ImportMatch, _ schema: ModelSchema, _ principal: Principal) -> ImportMatch {
        guard principal.may(.edit, schema.name) else { return .none }
        if case .property(let name) = match, !principal.maySet(name, of: schema) { return .none }
        return match
    }

    /// What a column may fill: nobody finds out through a file which records there are that they may not see.
    static func offered(_ schema: ModelSchema, _ models: Schema, _ principal: Principal) -> [PropertySchema] {
        RecordImport.fillable(of: schema, in: models).filter { principal.maySet($0.name, of: schema) }
    }

    static func mayCreateRelated(_ schema: ModelSchema, _ models: Schema, _ principal: Principal) -> Bool {
        let related = offered(schema, models, principal).compactMap(\.type.model).filter { $0 != schema.name }
        return !related.isEmpty
            && related.allSatisfy { name in
                guard principal.may(.add, name), let other = models.model(name) else { return false }
                return other.titleProperty.map { principal.maySet($0.name, of: other) } ?? true
            }
    }
}

/// Where imports go: the records that are there, and the store.
package struct ImportTarget: Sendable {
    let lookUp: any RecordLookUp
    let store: @Sendable (ChangeSet) async throws -> Receipt
    let commit: @Sendable (UUID) async throws -> Int64?
    let restoreEpoch: @Sendable () async throws -> String
    let isGood: @Sendable (Principal) async throws -> Bool

    /// - Parameters:
    ///   - store: Stores a batch, whole or not at all.
    ///   - commit: Which commit stored the change set; nil when none did.
    ///   - restoreEpoch: Another when the store is restored.
    ///   - isGood: Whether the account may still do what it might when it began.
    package init(
        lookUp: any RecordLookUp, store: @escaping @Sendable (ChangeSet) async throws -> Receipt,
        commit: @escaping @Sendable (UUID) async throws -> Int64?,
        restoreEpoch: @escaping @Sendable () async throws -> String,
        isGood: @escaping @Sendable (Principal) async throws -> Bool
    ) {
        self.lookUp = lookUp
        self.store = store
        self.commit = commit
        self.restoreEpoch = restoreEpoch
        self.isGood = isGood
    }
}

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
