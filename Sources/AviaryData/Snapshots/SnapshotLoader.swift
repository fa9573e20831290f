import AviaryDomain
import Crypto
import Foundation

/// Reads a snapshot from its first line to its last into a store file, checking all of it.
struct SnapshotLoader {
    let path: String
    let schema: Schema
    let sortIndexes: [SortIndex]
    let engine: any StoreEngine
    let interruption: Interruption
    /// How the records of an older program come to the schema.
    var instructions = MigrationInstructions.none
    /// Whether what was built is compared with what was read.
    var isProving = false
    var report: @Sendable (SnapshotProgress) -> Void = { _ in }

    /// What was built.
    struct Loaded: Sendable {
        let summary: SnapshotSummary
        /// How its records came to the schema; none when they were of it.
        let steps: [String]
    }

    /// - Parameter storePath: Of the file to build; it is complete only when this returns.
    /// - Throws: ``SnapshotError``, ``FileError``, ``EngineError``.
    func load(intoStoreAt storePath: String) throws -> Loaded {
        var lines = LineReader(try GzipReader(path), lengthLimit: schema.snapshotLineLimit)
        do {
            return try load(&lines, storePath)
        } catch let error as JSONError {
            throw SnapshotError(.notJSON("\(error)"), line: lines.number)
        } catch let error as SnapshotError where error.line == nil && lines.number > 0 && error.concernsLine {
            throw SnapshotError(error.reason, line: lines.number)
        }
    }

    private func load(_ lines: inout LineReader, _ storePath: String) throws -> Loaded {
        var hash = SHA256()
        let manifest = try readManifest(&lines, &hash)
        let migration = SnapshotMigration(of: manifest, to: schema, sortIndexes, instructions, engine: engine)
        let written = try migration.writtenSchema()
        let builder = try StoreBuilder(
            path: storePath, schema: written ?? schema, sortIndexes: written == nil ? sortIndexes : [], engine: engine
        )
        var digest = isProving ? ContentDigest() : nil
        let end = try readRecords(&lines, &hash, manifest, into: builder, &digest)
        guard try lines.nextLine() == nil else { throw SnapshotError(.afterEnd) }
        let sha256 = hash.finalize().hexadecimal
        try check(end, manifest, builder, sha256)
        report(SnapshotProgress(.checking))
        try builder.finish(commit: manifest.commit)
        try interruption.check()
        if let digest {
            report(SnapshotProgress(.proving))
            try BuiltStore(path: storePath, tables: builder.tables, engine: engine).check(holds: digest)
        }
        var steps: [String] = []
        if written != nil {
            report(SnapshotProgress(.migrating))
            steps = try migration.apply(toStoreAt: storePath)
            if isProving {
                try BuiltStore(path: storePath, tables: ModelTables(schema, engine.dialect), engine: engine).check()
            }
        }
        let summary = SnapshotSummary(
            path: path, app: manifest.app, createdAt: manifest.createdAt, commit: manifest.commit,
            records: manifest.counts.values.reduce(0, +), counts: manifest.counts,
            links: manifest.linkCounts.values.reduce(0, +), sha256: sha256
        )
        return Loaded(summary: summary, steps: steps)
    }

    private func readManifest(_ lines: inout LineReader, _ hash: inout SHA256) throws -> SnapshotManifest {
        guard let line = try lines.nextLine() else { throw SnapshotError(.notASnapshot) }
        lines.hash(line, into: &hash)
        var reader = JSONReader(lines.buffer, in: line)
        return try SnapshotManifest(&reader)
    }

    private func readRecords(
        _ lines: inout LineReader, _ hash: inout SHA256, _ manifest: SnapshotManifest, into builder: StoreBuilder,
        _ digest: inout ContentDigest?
    ) throws -> (records: Int64, sha256: String) {
        var check = RecordCheck(manifest)
        let total = manifest.counts.values.reduce(0, +) + manifest.linkCounts.values.reduce(0, +)
        while let line = try lines.nextLine() {
            if lines.number % 1024 == 0 {
                try interruption.check()
                report(SnapshotProgress(.reading, done: lines.number, of: total))
            }
            var reader = JSONReader(lines.buffer, in: line)
            switch try SnapshotLine(&reader, tables: builder.tables) {
            case .end(let records, let sha256): return (records, sha256)
            case .record(let record):
                lines.hash(line, into: &hash)
                try check.check(record)
                try builder.insert(record, line: lines.number)
                digest?.add(record.table.model.name, [.text(record.id), .integer(record.version)] + record.values)
            case .link(let link):
                lines.hash(line, into: &hash)
                try check.check(link)
                try builder.insert(link, line: lines.number)
                for row in link.table.rows(of: link.link) { digest?.add(link.table.tableName, row.values) }
            }
        }
        throw SnapshotError(.missingEnd)
    }

    private func check(
        _ end: (records: Int64, sha256: String), _ manifest: SnapshotManifest, _ builder: StoreBuilder, _ sha256: String
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
        let lines = builder.counts.values.reduce(0, +) + builder.linkCounts.values.reduce(0, +)
        guard end.records == Int64(lines) else { throw SnapshotError(.wrongRecordCount) }
        guard end.sha256 == sha256 else { throw SnapshotError(.wrongHash) }
    }
}

extension SnapshotError {
    /// Whether the line that was read last is at fault, and not the file as a whole.
    fileprivate var concernsLine: Bool {
        switch reason {
        case .interrupted, .notGzip, .damaged, .cutOff, .missingEnd, .missingLinkEnd, .cannotMigrate, .notProven: false
        default: true
        }
    }
}
