import AviaryDomain
import Crypto

/// A reader of a snapshot's file that checks each line by itself.
struct SnapshotReading: Sendable {
    // A batch is passed on when it has this number of lines or of bytes.
    private static let mostLines = 256
    private static let mostBytes = 1 << 16
    /// The maximum length of the manifest, in bytes.
    ///
    /// The whole manifest is in memory, as many small values. A thousand models of ten properties take a third of
    /// it.
    private static let longestManifest = 2 << 20

    /// The longest silence of a pipe that is not reported.
    private static let patience: Duration = .seconds(1)

    let path: String
    let app: String
    let acceptedApp: String?
    let schema: Schema
    let sortIndexes: [SortIndex]
    let engine: any StoreEngine
    let instructions: MigrationInstructions
    let cancellationToken: CancellationToken
    let report: @Sendable (SnapshotProgress) -> Void

    /// Reads the file to its end and passes its parts on.
    ///
    /// - Throws: ``SnapshotError`` that names the line, ``FileError``; `CancellationError` after the consumer has
    ///   stopped.
    func read(into parts: PrefetchQueue<SnapshotPart>) throws {
        var lines = LineReader(try GzipReader(path, whileWaiting: reportWaiting), lengthLimit: Self.longestManifest)
        do {
            try read(&lines, into: parts)
        } catch let error as JSONError {
            throw SnapshotError(.notJSON("\(error)"), line: lines.number)
        } catch let error as SnapshotError where error.line == nil && lines.number > 0 && error.concernsLine {
            throw SnapshotError(error.reason, line: lines.number)
        }
    }

    /// Reports that the reader waits for a pipe, so that the user can cancel.
    private func reportWaiting(_ waiting: Duration) throws {
        try cancellationToken.check()
        if waiting > Self.patience { report(SnapshotProgress(.waiting)) }
    }

    private func read(_ lines: inout LineReader, into parts: PrefetchQueue<SnapshotPart>) throws {
        var hash = SHA256()
        let beginning = try beginning(&lines, &hash)
        lines.lengthLimit = schema.snapshotLineLimit
        try parts.hand(over: .beginning(beginning))
        let tables = ModelTables(beginning.written ?? schema, engine.dialect)
        let columns = SnapshotColumns.all(of: tables)
        var check = RecordCheck(beginning.manifest)
        var batch: [NumberedLine] = [], bytes = 0
        func handOver() throws {
            try parts.hand(over: .lines(batch), size: bytes / Self.mostBytes)
            batch.removeAll(keepingCapacity: true)
            bytes = 0
        }
        while let line = try lines.nextLine() {
            var reader = JSONReader(lines.buffer, in: line)
            switch try SnapshotLine(&reader, tables: tables, columns: columns) {
            case .record(let record):
                try check.check(record)
                batch.append(NumberedLine(number: lines.number, content: .record(record)))
            case .link(let link):
                try check.check(link)
                batch.append(NumberedLine(number: lines.number, content: .link(link)))
            case .log(let row):
                try check.check(row)
                batch.append(NumberedLine(number: lines.number, content: .log(row)))
            case .end(let records, let sha256):
                try handOver()
                let number = lines.number
                try lines.finish()
                return try parts.hand(
                    over: .end(
                        SnapshotTrailer(
                            line: number, records: records, sha256: sha256, foundSHA256: hash.finalize().hexadecimal
                        )))
            }
            lines.hash(line, into: &hash)
            bytes += line.count
            if batch.count >= Self.mostLines || bytes >= Self.mostBytes { try handOver() }
        }
        throw SnapshotError(.missingEnd)
    }

    private func beginning(_ lines: inout LineReader, _ hash: inout SHA256) throws -> SnapshotHeader {
        guard let line = try lines.nextLine() else { throw SnapshotError(.notASnapshot) }
        lines.hash(line, into: &hash)
        var reader = JSONReader(lines.buffer, in: line)
        let manifest = try SnapshotManifest(&reader)
        guard manifest.app == app || manifest.app == acceptedApp else {
            throw SnapshotError(.otherApp(manifest.app, program: app))
        }
        let migration = SnapshotMigration(of: manifest, to: schema, sortIndexes, instructions, engine: engine)
        return SnapshotHeader(manifest: manifest, migration: migration, written: try migration.writtenSchema())
    }
}

extension SnapshotError {
    /// Indicates whether the error concerns the line that was read last, and not the whole file.
    fileprivate var concernsLine: Bool {
        switch reason {
        case .interrupted, .unanswered, .notGzip, .damaged, .cutOff, .missingEnd, .missingLinkEnd, .cannotMigrate,
            .notProven, .incompleteHistory:
            false
        default: true
        }
    }
}

/// A part of a snapshot's file, checked as far as possible without the other parts.
enum SnapshotPart: Sendable {
    case beginning(SnapshotHeader)
    case lines([NumberedLine])
    case end(SnapshotTrailer)
}

struct SnapshotHeader: Sendable {
    let manifest: SnapshotManifest
    let migration: SnapshotMigration
    /// The models that the snapshot was written with; nil if they equal those of the program.
    let written: Schema?
}

/// A line that follows the manifest, with its number in the uncompressed text, from 1.
struct NumberedLine: Sendable {
    let number: Int
    let content: Content

    enum Content: Sendable {
        case record(SnapshotRecord)
        case link(SnapshotLink)
        case log(SnapshotLogRow)
    }
}

struct SnapshotTrailer: Sendable {
    /// The number of the last line.
    let line: Int
    /// The number of records according to the last line.
    let records: Int64
    let sha256: String
    /// The hash of the bytes that were read.
    let foundSHA256: String
}

/// The checks of a snapshot's lines that need no other line.
struct RecordCheck {
    private let manifest: SnapshotManifest
    private var counts: [String: Int] = [:]
    private var linkCounts: [String: Int] = [:]
    private var logCounts: [String: Int] = [:]
    private var accounts: AccountCheck?

    init(_ manifest: SnapshotManifest) {
        self.manifest = manifest
    }

    /// Checks a record by itself.
    ///
    /// - Throws: ``SnapshotError``.
    mutating func check(_ record: SnapshotRecord) throws(SnapshotError) {
        let model = record.table.model
        try Self.count(model.name, &counts, expected: manifest.counts[model.name])
        guard record.version <= manifest.commit else {
            throw SnapshotError(.malformedRecord(localized("the version is later than the backup’s commit.")))
        }
        if let problem = model.validationProblem(in: record.values) {
            throw SnapshotError(.invalid(model: model.name, property: problem.property, problem.message))
        }
        if model.name == Account.modelName {
            let check = accounts ?? AccountCheck(model)
            accounts = check
            try check.check(record.values)
        }
    }

    mutating func check(_ link: SnapshotLink) throws(SnapshotError) {
        let name = link.table.relation.name
        try Self.count(name, &linkCounts, expected: manifest.linkCounts[name])
    }

    /// Checks a row of the log by itself.
    ///
    /// - Throws: ``SnapshotError``.
    mutating func check(_ row: SnapshotLogRow) throws(SnapshotError) {
        guard let log = manifest.log else {
            throw SnapshotError(.malformedRecord(localized("unknown part.")))
        }
        try Self.count(row.table.tableName, &logCounts, expected: log.count(of: row.table))
        try row.check(commit: manifest.commit, log)
    }

    /// Counts a line and rejects one more than the manifest promises.
    ///
    /// The check runs for each line: a file that never ends must not fill the disk.
    private static func count(_ name: String, _ counts: inout [String: Int], expected: Int?) throws(SnapshotError) {
        counts[name, default: 0] += 1
        let expected = expected ?? 0
        if let count = counts[name], count > expected {
            throw SnapshotError(.wrongCount(model: name, expected: expected, found: count))
        }
    }
}

/// The rules for the name, the role and the counters of an account in a snapshot.
///
/// The name and the role are shown to the person who decides about a restore. The store continues to count from the
/// counters.
///
/// The program may no longer have a role that it once wrote. Such an account keeps its role, which permits nothing.
struct AccountCheck {
    private let name: Int?
    private let role: Int?
    private let counters: [(property: String, index: Int)]

    init(_ model: ModelSchema) {
        counters = ["epoch", "lastOneTimeStep"].compactMap { name in
            model.storedIndex(of: name).map { (name, $0) }
        }
        name = model.storedIndex(of: "name")
        role = model.storedIndex(of: "role")
    }

    /// Checks the values of an account.
    ///
    /// - Throws: ``SnapshotError``.
    func check(_ values: ArraySlice<FieldValue>) throws(SnapshotError) {
        if let text = text(name, in: values), AccountName(text)?.text != text {
            throw SnapshotError(
                .invalid(model: Account.modelName, property: "name", localized("Invalid account name.")))
        }
        if let text = text(role, in: values), !Roles.isName(text) {
            throw SnapshotError(
                .invalid(model: Account.modelName, property: "role", localized("Invalid role name.")))
        }
        for (property, index) in counters where index < values.count {
            guard case .integer(let number) = values[values.startIndex + index] else { continue }
            guard SnapshotManifest.possibleCommits.contains(number) else {
                throw SnapshotError(
                    .invalid(
                        model: Account.modelName, property: property, localized("This number is too large.")))
            }
        }
    }

    private func text(_ index: Int?, in values: ArraySlice<FieldValue>) -> String? {
        guard let index, index < values.count, case .text(let text) = values[values.startIndex + index] else {
            return nil
        }
        return text
    }
}
