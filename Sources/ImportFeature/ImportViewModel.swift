package import AviaryDomain
package import Foundation

/// The view model of an uploaded file of records: its interpretation and the expected result.
package struct ImportViewModel: Sendable {
    /// The number of lines that are checked before the import.
    static let previewedLines = 1000
    static let shownLines = 8
    /// The limits on the parts of a file that a worker keeps in memory, because it also serves other requests.
    static let limits = RecordImport.Limits(values: 3_000_000, together: 20_000)

    package let schema: ModelSchema
    package let settings: ImportSettings
    package let preview: ImportPreview
    /// The import that was tried and stored nothing; nil before the first attempt.
    let tried: ImportJob?
    let models: Schema
    let principal: Principal

    /// Creates the preview of a file.
    ///
    /// - Parameters:
    ///   - form: The chosen settings; nil for the default ones.
    ///   - tried: The result of an attempt to import with the form's settings.
    /// - Throws: ``AccessError``; ``ImportError`` if the file has no columns; the errors of reading.
    package init(
        _ source: any ImportSource, form: [FormField]?, for schema: ModelSchema, in models: Schema,
        principal: Principal,
        lookUp: any RecordLookup, tried: ImportJob? = nil
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

    private static func mayImport(_ principal: Principal, _ schema: ModelSchema) -> Bool {
        principal.may(.view, schema.name) && principal.may(.add, schema.name)
    }

    package static func check(_ principal: Principal, _ schema: ModelSchema) throws(AccessError) {
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
            // An empty mapping would mean that every column fills the property with its name.
            mapping: mapping.isEmpty ? [FieldMapping(property: "id", column: "")] : mapping,
            nullMarkers: Set(settings.nullMarkers),
            createRelated: settings.createsRelated && mayCreateRelated(schema, models, principal),
            match: match(settings.match, schema, principal),
            limits: limits
        )
    }

    /// Returns the match that the principal is allowed to use. Otherwise a file could reveal which records have a
    /// value that the user is not allowed to see.
    private static func match(_ match: ImportMatch, _ schema: ModelSchema, _ principal: Principal) -> ImportMatch {
        guard principal.may(.edit, schema.name) else { return .none }
        if case .property(let name) = match, !principal.maySet(name, of: schema) { return .none }
        return match
    }

    /// Returns the properties that a column may fill. Otherwise a file could reveal records that the user is not
    /// allowed to see.
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

/// The target of an import: the existing records and the store.
package struct ImportTarget: Sendable {
    let lookUp: any RecordLookup
    let store: @Sendable (ChangeSet) async throws -> Receipt
    let commit: @Sendable (UUID) async throws -> Int64?
    let restoreEpoch: @Sendable () async throws -> String
    let isGood: @Sendable (Principal) async throws -> Bool
    let addEvent: @Sendable (ChangeSet) async throws -> Void

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - store: A closure that stores a batch completely or not at all.
    ///   - commit: A closure that returns the commit that stored the change set, or nil if there is none.
    ///   - restoreEpoch: A closure that returns an identifier that changes when the store is restored.
    ///   - isGood: A closure that returns whether the account still has the permissions that it had at the start.
    ///   - addEvent: A closure that stores the event of the import in the audit log.
    package init(
        lookUp: any RecordLookup, store: @escaping @Sendable (ChangeSet) async throws -> Receipt,
        commit: @escaping @Sendable (UUID) async throws -> Int64?,
        restoreEpoch: @escaping @Sendable () async throws -> String,
        isGood: @escaping @Sendable (Principal) async throws -> Bool,
        addEvent: @escaping @Sendable (ChangeSet) async throws -> Void = { _ in }
    ) {
        self.addEvent = addEvent
        self.lookUp = lookUp
        self.store = store
        self.commit = commit
        self.restoreEpoch = restoreEpoch
        self.isGood = isGood
    }
}

// An import continues after the response to the request that started it, so a reload or a slow store does not
// interrupt it.
extension ImportViewModel {
    /// Starts the import of the file with the settings of the form.
    ///
    /// - Parameter onEnd: A closure that is called with the job in its final state.
    /// - Throws: ``AccessError``, ``ImportFileError``; the errors of reading from the store.
    package static func begin(
        _ file: String, form: [FormField], for schema: ModelSchema, in models: Schema, principal: Principal,
        files: any ImportFiles, target: ImportTarget, at time: Date,
        onEnd: @escaping @Sendable (ImportJob) -> Void = { _ in }
    ) async throws {
        try check(principal, schema)
        let title = await files.title(of: file, of: owner(principal), for: schema.name)
        var job = ImportJob(
            of: file,
            form: form.filter { ImportSettings.isField($0.name) }
                + (title.map { [FormField(name: ImportJob.titleField, value: $0)] } ?? []), at: time,
            owner: ImportJob.Owner(
                account: principal.account, epoch: principal.epoch, model: schema.name,
                language: Language.current?.code))
        job.restoreEpoch = try await target.restoreEpoch()
        let run = ImportRun(schema: schema, models: models, principal: principal, target: target)
        try await files.begin(job, of: owner(principal), for: schema.name) { [job] source, notes in
            let ended = await run(job, source, notes)
            onEnd(ended)
            return ended
        }
    }

    /// Continues the import of the file after the last stored line.
    ///
    /// - Parameter onEnd: A closure that is called with the job in its final state.
    /// - Throws: ``AccessError``, ``ImportFileError``; the errors of reading from the store.
    package static func resume(
        with file: String, for schema: ModelSchema, in models: Schema, principal: Principal, files: any ImportFiles,
        target: ImportTarget, onEnd: @escaping @Sendable (ImportJob) -> Void = { _ in }
    ) async throws {
        let epoch = try await target.restoreEpoch()
        guard let job = try await lastJob(for: schema, principal: principal, files: files), job.file == file,
            job.state == .running || job.restoreEpoch == epoch
        else { throw ImportFileError.gone }
        let run = ImportRun(schema: schema, models: models, principal: principal, target: target)
        try await files.resume(
            with: file, of: owner(principal), for: schema.name, byItself: false
        ) { job, source, notes in
            let ended = await run(job, source, notes)
            onEnd(ended)
            return ended
        }
    }

    /// Continues an import whose process ended, without a request.
    ///
    /// - Parameters:
    ///   - job: The job. It has an owner.
    ///   - principal: The owner with the present permissions; nil if the account is disabled or gone, which ends the
    ///     import.
    ///   - onBegin: A closure that is called with the job when no other process continues it.
    ///   - onEnd: A closure that is called with the job in its final state.
    /// - Throws: ``ImportFileError``.
    package static func continueInterrupted(
        _ job: ImportJob, in models: Schema, principal: Principal?, files: any ImportFiles, target: ImportTarget,
        onBegin: @escaping @Sendable (ImportJob) -> Void = { _ in },
        onEnd: @escaping @Sendable (ImportJob) -> Void = { _ in }
    ) async throws(ImportFileError) {
        guard let owner = job.owner else { return }
        let schema = models.model(owner.model)
        try await files.resume(
            with: job.file, of: owner.account.canonicalText, for: owner.model, byItself: true
        ) { job, source, notes in
            onBegin(job)
            var ended = job
            if let schema, let principal, Self.mayImport(principal, schema) {
                ended = await ImportRun(schema: schema, models: models, principal: principal, target: target)(
                    job, source, notes)
            } else if schema != nil {
                ended.fail(AccountEndedError())
            } else {
                ended.state = .failed
                ended.reason = localized("This model doesn’t exist.")
            }
            onEnd(ended)
            return ended
        }
    }

    /// Indicates whether a stopped import can continue: its file still exists, and a restore has not replaced the
    /// records that it stored.
    package static func canGoOn(
        _ job: ImportJob, for schema: ModelSchema, principal: Principal, files: any ImportFiles, target: ImportTarget
    ) async -> Bool {
        guard job.hasStopped, await files.isWaiting(job.file, of: owner(principal), for: schema.name) else {
            return false
        }
        // If the store cannot be read, the import cannot continue either. The page still shows its result so far.
        guard let epoch = try? await target.restoreEpoch() else { return false }
        return job.restoreEpoch == epoch
    }

    /// Returns the import of the file, or nil if it was not started or another one was started since.
    ///
    /// - Throws: ``AccessError``; the errors of reading from the store.
    package static func job(
        of file: String, for schema: ModelSchema, principal: Principal, files: any ImportFiles, target: ImportTarget
    ) async throws -> ImportJob? {
        guard var job = try await lastJob(for: schema, principal: principal, files: files), job.file == file else {
            return nil
        }
        if job.state != .running, let sent = job.sent { job.settle(commit: try await target.commit(sent.changeSet)) }
        return job
    }

    /// Returns the last import of the user for the model.
    ///
    /// - Throws: ``AccessError``.
    package static func lastJob(
        for schema: ModelSchema, principal: Principal, files: any ImportFiles
    ) async throws(AccessError) -> ImportJob? {
        try check(principal, schema)
        return await files.job(of: owner(principal), for: schema.name)
    }

    /// Returns the owner of the user's files.
    package static func owner(_ principal: Principal) -> String { principal.account.canonicalText }
}

/// The settings of an import, as a form specifies them.
package struct ImportSettings: Sendable, Hashable {
    static let leftOut = ""

    /// The property that each column fills, or `id`; nil for a column that is left out.
    let properties: [String?]
    /// The texts that represent null.
    let nullMarkers: [String]
    let createsRelated: Bool
    let match: ImportMatch

    /// Creates the default settings, in which columns fill the properties with their names.
    init(properties: [String?]) {
        self.properties = properties
        nullMarkers = []
        createsRelated = false
        match = .none
    }

    /// Creates the settings from form fields.
    ///
    /// - Parameter columns: The number of columns in the file.
    package init(_ form: [FormField], columns: Int) {
        properties = (0..<columns).map { index in
            form.value(Self.name(ofColumn: index)).flatMap { $0 == Self.leftOut ? nil : $0 }
        }
        nullMarkers = (form.value("null") ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }.filter {
            !$0.isEmpty
        }
        createsRelated = form.value("related") == "true"
        match =
            switch form.value("match") ?? "" {
            case "": .none
            case let name: ImportMatch(named: name)
            }
    }

    private static let columnPrefix = "column."

    static func name(ofColumn index: Int) -> String { columnPrefix + String(index) }

    /// Indicates whether a form field belongs to the settings.
    static func isField(_ name: String) -> Bool {
        name.hasPrefix(columnPrefix) || ["null", "related", "match"].contains(name)
    }

    func mapping(of columns: [String]) -> [FieldMapping] {
        zip(columns, properties).compactMap { column, property in
            property.map { FieldMapping(property: $0, column: column) }
        }
    }

    var matchName: String {
        switch match {
        case .none: ""
        case .id: "id"
        case .property(let name): name
        }
    }
}
