import AviaryDomain
import Crypto

/// Reads a snapshot's file from its first line to its last, and checks what each line says by itself.
struct SnapshotReading: Sendable {
    // So many lines are handed over at once, or so many bytes of them.
    private static let mostLines = 256
    private static let mostBytes = 1 << 16
    /// In bytes. It is in memory as a whole, as many small values; a thousand models of ten properties take a third of it.
    private static let longestManifest = 2 << 20

    /// A pipe that is silent for no longer is an ordinary one.
    private static let patience: Duration = .seconds(1)

    let path: String
    let app: String
    let acceptedApp: String?
    let schema: Schema
    let sortIndexes: [SortIndex]
    let engine: any StoreEngine
    let instructions: MigrationInstructions
    let interruption: Interruption
    let report: @Sendable (SnapshotProgress) -> Void

    /// - Throws: ``SnapshotError`` that names the line, ``FileError``; `CancellationError` when nobody wants the rest.
    func read(into parts: ReadAhead<SnapshotPart>) throws {
        var lines = LineReader(try GzipReader(path, whileWaiting: tell), lengthLimit: schema.snapshotLineLimit)
        do {
            try read(&lines, into: parts)
        } catch let error as JSONError {
            throw SnapshotError(.notJSON("\(error)"), line: lines.number)
        } catch let error as SnapshotError where error.line == nil && lines.number > 0 && error.concernsLine {
            throw SnapshotError(error.reason, line: lines.number)
        }
    }

    /// Whoever waits for what a pipe brings is told so, and can end it.
    private func tell(_ waiting: Duration) throws {
        try interruption.check()
        if waiting > Self.patience { report(SnapshotProgress(.waiting)) }
    }

    private func read(_ lines: inout LineReader, into parts: ReadAhead<SnapshotPart>) throws {
        var hash = SHA256()
        let beginning = try beginning(&lines, &hash)
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
                        SnapshotEnd(
                            line: number, records: records, sha256: sha256, foundSHA256: hash.finalize().hexadecimal
                        )))
            }
            lines.hash(line, into: &hash)
            bytes += line.count
            if batch.count >= Self.mostLines || bytes >= Self.mostBytes { try handOver() }
        }
        throw SnapshotError(.missingEnd)
    }

    private func beginning(_ lines: inout LineReader, _ hash: inout SHA256) throws -> SnapshotBeginning {
        guard let line = try lines.nextLine() else { throw SnapshotError(.notASnapshot) }
        guard line.count <= Self.longestManifest else { throw SnapshotError(.lineTooLong) }
        lines.hash(line, into: &hash)
        var reader = JSONReader(lines.buffer, in: line)
        let manifest = try SnapshotManifest(&reader)
        guard manifest.app == app || manifest.app == acceptedApp else {
            throw SnapshotError(.otherApp(manifest.app, program: app))
        }
        let migration = SnapshotMigration(of: manifest, to: schema, sortIndexes, instructions, engine: engine)
        return SnapshotBeginning(manifest: manifest, migration: migration, written: try migration.writtenSchema())
    }
}

extension SnapshotError {
    /// Whether the line that was read last is at fault, and not the file as a whole.
    fileprivate var concernsLine: Bool {
        switch reason {
        case .interrupted, .unanswered, .notGzip, .damaged, .cutOff, .missingEnd, .missingLinkEnd, .cannotMigrate,
            .notProven, .incompleteHistory:
            false
        default: true
        }
    }
}

/// A part of a snapshot's file, checked as far as it can be without the others.
enum SnapshotPart: Sendable {
    case beginning(SnapshotBeginning)
    case lines([NumberedLine])
    case end(SnapshotEnd)
}

struct SnapshotBeginning: Sendable {
    let manifest: SnapshotManifest
    let migration: SnapshotMigration
    /// The models that it was written with; nil when they are those of the program.
    let written: Schema?
}

/// A line behind the manifest, with its number in the uncompressed text, from 1.
struct NumberedLine: Sendable {
    let number: Int
    let content: Content

    enum Content: Sendable {
        case record(SnapshotRecord)
        case link(SnapshotLink)
        case log(SnapshotLogRow)
    }
}

struct SnapshotEnd: Sendable {
    /// Its number.
    let line: Int
    /// As the last line says.
    let records: Int64
    let sha256: String
    /// Of what was read.
    let foundSHA256: String
}
