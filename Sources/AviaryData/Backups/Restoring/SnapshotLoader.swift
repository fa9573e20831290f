import AviaryDomain

/// A loader that reads a whole snapshot into a store file and checks all of it.
struct SnapshotLoader {
    let path: String
    let app: String
    let acceptedApp: String?
    let schema: Schema
    let sortIndexes: [SortIndex]
    let engine: any StoreEngine
    let cancellationToken: CancellationToken
    /// The instructions that migrate the records of an older program to the schema.
    var instructions = MigrationInstructions.none
    /// Indicates whether the built store is compared with the snapshot.
    var isProving = false
    var report: @Sendable (SnapshotProgress) -> Void = { _ in }

    /// The result of a load.
    struct Loaded: Sendable {
        let summary: SnapshotSummary
        /// The steps of the migration of the records to the schema; empty if they already fitted it.
        let steps: [String]
    }

    /// Builds a store file from the snapshot.
    ///
    /// - Parameter storePath: The path of the file to build. The file is complete only after this function returns.
    /// - Throws: ``SnapshotError``, ``FileError``, ``EngineError``.
    func load(intoStoreAt storePath: String) throws -> Loaded {
        let reading = SnapshotReading(
            path: path, app: app, acceptedApp: acceptedApp, schema: schema, sortIndexes: sortIndexes, engine: engine,
            instructions: instructions, cancellationToken: cancellationToken, report: report
        )
        let parts = PrefetchQueue { try reading.read(into: $0) }
        defer { parts.abandon() }
        guard case .beginning(let beginning)? = try parts.next() else { throw SnapshotError(.notASnapshot) }
        let manifest = beginning.manifest, written = beginning.written
        let builder = try StoreBuilder(
            path: storePath, schema: written ?? schema, sortIndexes: written == nil ? sortIndexes : [], engine: engine
        )
        var digest = isProving ? ContentDigest() : nil
        let end = try insert(parts, of: manifest, into: builder, &digest)
        try check(end, manifest, builder)
        report(SnapshotProgress(.checking))
        try builder.finish(commit: manifest.commit, manifest.log)
        try cancellationToken.check()
        if let digest {
            report(SnapshotProgress(.proving))
            try RestoredStoreCheck(path: storePath, tables: builder.tables, engine: engine).check(holds: digest)
        }
        var steps: [String] = []
        if written != nil {
            report(SnapshotProgress(.migrating))
            steps = try beginning.migration.apply(toStoreAt: storePath)
            if isProving {
                try RestoredStoreCheck(path: storePath, tables: ModelTables(schema, engine.dialect), engine: engine)
                    .check()
            }
        }
        let summary = SnapshotSummary(
            path: path, app: manifest.app, createdAt: manifest.createdAt, commit: manifest.commit,
            records: manifest.counts.values.reduce(0, +), counts: manifest.counts,
            links: manifest.linkCounts.values.reduce(0, +), log: manifest.log?.summary, sha256: end.sha256
        )
        return Loaded(summary: summary, steps: steps)
    }

    private func insert(
        _ parts: PrefetchQueue<SnapshotPart>, of manifest: SnapshotManifest, into builder: StoreBuilder,
        _ digest: inout ContentDigest?
    ) throws -> SnapshotTrailer {
        let total =
            manifest.counts.values.reduce(0, +) + manifest.linkCounts.values.reduce(0, +) + (manifest.log?.lines ?? 0)
        while let part = try parts.next() {
            switch part {
            case .beginning: continue
            case .end(let end): return end
            case .lines(let lines):
                try cancellationToken.check()
                for line in lines { try insert(line, into: builder, &digest) }
                if let last = lines.last { report(SnapshotProgress(.reading, done: last.number, of: total)) }
            }
        }
        throw SnapshotError(.missingEnd)
    }

    private func insert(_ line: NumberedLine, into builder: StoreBuilder, _ digest: inout ContentDigest?) throws {
        switch line.content {
        case .record(let record):
            try builder.insert(record, line: line.number)
            digest?.add(record.table.model.name, record.row)
        case .link(let link):
            try builder.insert(link, line: line.number)
            for row in link.table.rows(of: link.link) { digest?.add(link.table.tableName, row.values) }
        case .log(let row):
            try builder.insert(row, line: line.number)
            digest?.add(row.table.tableName, row.row)
        }
    }

    private func check(
        _ end: SnapshotTrailer, _ manifest: SnapshotManifest, _ builder: StoreBuilder
    ) throws(SnapshotError) {
        func check(_ found: [String: Int], _ promised: [String: Int]) throws(SnapshotError) {
            for (name, expected) in promised.sorted(by: { $0.key < $1.key }) {
                let found = found[name] ?? 0
                guard found == expected else {
                    throw SnapshotError(.wrongCount(model: name, expected: expected, found: found), line: 1)
                }
            }
        }
        try check(builder.counts, manifest.counts)
        try check(builder.linkCounts, manifest.linkCounts)
        for table in SnapshotLogRow.Table.allCases {
            let name = table.tableName
            try check([name: builder.logCounts[table] ?? 0], [name: manifest.log?.count(of: table) ?? 0])
        }
        let lines =
            builder.counts.values.reduce(0, +) + builder.linkCounts.values.reduce(0, +)
            + builder.logCounts.values.reduce(0, +)
        guard end.records == Int64(lines) else { throw SnapshotError(.wrongRecordCount, line: end.line) }
        guard end.sha256 == end.foundSHA256 else { throw SnapshotError(.wrongHash, line: end.line) }
    }
}

/// The migration from the models of a snapshot to those of the program.
struct SnapshotMigration: Sendable {
    private let manifest: SnapshotManifest
    private let layout: StoreLayout
    private let instructions: MigrationInstructions
    private let engine: any StoreEngine

    init(
        of manifest: SnapshotManifest, to schema: Schema, _ sortIndexes: [SortIndex],
        _ instructions: MigrationInstructions,
        engine: any StoreEngine
    ) {
        self.manifest = manifest
        layout = StoreLayout(tables: ModelTables(schema, engine.dialect), sortIndexes: Set(sortIndexes))
        self.instructions = MigrationInstructions(
            plan: instructions.plan, dropping: instructions.dropped, copiesStore: false)
        self.engine = engine
    }

    /// Returns the models that the snapshot was written with; nil if they equal those of the program.
    ///
    /// - Throws: ``SnapshotError`` if they cannot be migrated to the program's models, for example because they are
    ///   newer.
    func writtenSchema() throws(SnapshotError) -> Schema? {
        try checkVersion()
        let difference: SnapshotError
        do {
            try manifest.check(fits: layout.tables.schema)
            return nil
        } catch {
            difference = error
        }
        for model in manifest.schema.keys where layout.tables.schema.model(model)?.snapshotContent == .nothing {
            throw difference
        }
        let schema = try SnapshotManifest.schema(manifest.writtenSchema, like: layout.tables.schema)
        let summary = SchemaSummary(lines: schema.summary, models: schema.models.map(\.name))
        let steps = DerivedMigration.steps(from: summary, to: layout.tables, instructions)
        guard steps.allSatisfy(\.refusals.isEmpty) else { throw difference }
        return schema
    }

    /// Migrates the store to the program's models.
    ///
    /// - Returns: The steps of the migration, for a list.
    /// - Throws: ``SnapshotError``, ``EngineError``. The store is then unusable.
    func apply(toStoreAt path: String) throws -> [String] {
        let connection = try engine.openReplacement(at: path)
        defer { connection.close() }
        if let version = manifest.schemaVersion {
            try MetaTable.set(.schemaVersion, to: .text(version), in: connection)
        }
        do {
            let steps = try DerivedMigration(to: layout, instructions, in: connection).steps
            try layout.install(instructions, in: connection)
            return steps
        } catch StoreOpenError.migrationRefused(let reasons) {
            throw SnapshotError(.cannotMigrate(reasons))
        } catch let error as MigrationError {
            throw SnapshotError(.cannotMigrate(["\(error)"]))
        }
    }

    private func checkVersion() throws(SnapshotError) {
        guard let newest = instructions.plan?.versions.last?.identifier,
            let written = manifest.schemaVersion.flatMap({ Schema.Version($0) }), written > newest
        else { return }
        throw SnapshotError(.newerVersion(written: "\(written)", newest: "\(newest)"))
    }
}
