import AviaryDomain
import Crypto
import Foundation

/// A writer of a snapshot's lines that hashes and compresses them.
struct SnapshotWriter {
    private static let flushSize = 1 << 16

    private let gzip: any Compressor
    private let cancellationToken: CancellationToken
    private let includesSecrets: Bool
    private let includesHistory: Bool
    private let report: @Sendable (SnapshotProgress) -> Void
    private var total = 0
    private var written = 0
    private var json = JSONWriter(capacity: flushSize + flushSize / 2)

    /// Creates a writer.
    ///
    /// - Parameter usesTwoThreads: Indicates whether a separate thread compresses the lines.
    init(
        to sink: FileSink, level: Int, includingSecrets: Bool, includingHistory: Bool, usesTwoThreads: Bool = false,
        cancellationToken: CancellationToken,
        report: @escaping @Sendable (SnapshotProgress) -> Void
    ) throws(FileError) {
        self.report = report
        includesSecrets = includingSecrets
        includesHistory = includingHistory
        let writer = try GzipWriter(to: sink, level: level)
        gzip = usesTwoThreads ? GzipQueue(writer) : writer
        self.cancellationToken = cancellationToken
    }

    mutating func write(_ copy: StoreCopy, app: String, createdAt: Date) throws -> SnapshotSummary {
        do {
            return try writeAll(copy, app: app, createdAt: createdAt)
        } catch {
            // The owner of the file closes it now.
            gzip.abandon()
            throw error
        }
    }

    private mutating func writeAll(_ copy: StoreCopy, app: String, createdAt: Date) throws -> SnapshotSummary {
        let known = try RecordCountTable.models(in: copy.connection)
        let tables = copy.tables.all.filter { known.contains($0.model.name) && $0.model.snapshotContent != .nothing }
        var counts: [String: Int] = [:]
        for model in copy.tables.schema.snapshotModels { counts[model.name] = 0 }
        for table in tables {
            counts[table.model.name] = try copy.connection.firstRow("SELECT count(*) FROM \(table.name)") {
                Int($0.integer(0))
            }
        }
        let existing = Set(try copy.connection.tableNames())
        let wanted = Set(copy.tables.schema.snapshotLinks)
        let links = copy.tables.links.filter { existing.contains($0.tableName) && wanted.contains($0.relation) }
        var linkCounts: [String: Int] = [:]
        for table in links {
            linkCounts[table.relation.name] = try copy.connection.firstRow(table.snapshotCount) { Int($0.integer(0)) }
        }
        guard case .integer(let commit) = try MetaTable.value(.commit, in: copy.connection) else {
            throw StoreOpenError.notAStore(path: copy.connection.path)
        }
        let time = createdAt.rfc3339 ?? ""
        let past = SnapshotLogSource(
            copy, includingHistory: includesHistory, includingSecrets: includesSecrets, createdAt)
        let log = try past.log()
        SnapshotManifest.write(
            app: app, createdAt: time, commit: commit, schema: copy.tables.schema, counts: counts,
            linkCounts: linkCounts, includesSecrets: includesSecrets,
            schemaVersion: try MetaTable.value(.schemaVersion, in: copy.connection).text, log: log, to: &json
        )
        let records = counts.values.reduce(0, +), linked = linkCounts.values.reduce(0, +)
        total = records + linked + log.lines
        for table in tables { try writeRecords(of: table, from: copy.connection) }
        for table in links { try writeLinks(of: table, from: copy.connection) }
        for table in SnapshotLogRow.Table.allCases { try writeLog(table, of: past) }
        let sha256 = try writeEnd(records: total)
        return SnapshotSummary(
            path: nil, app: app, createdAt: time, commit: commit, records: records, counts: counts,
            links: linked, log: log.summary, sha256: sha256
        )
    }

    private mutating func writeRecords(of table: ModelTable, from connection: any Connection) throws {
        let row = try connection.statement("SELECT \(table.selection) FROM \(table.name)")
        defer { row.reset() }
        let line = RecordLine(table, includingSecrets: includesSecrets || table.model.snapshotContent == .everything)
        while try row.step() {
            line.write(row, to: &json)
            written += 1
            if json.count >= Self.flushSize { try flush() }
        }
    }

    private mutating func writeLinks(of table: LinkTable, from connection: any Connection) throws {
        let row = try connection.statement(table.snapshotSelection)
        defer { row.reset() }
        let line = LinkLine(table)
        while try row.step() {
            line.write(row, to: &json)
            written += 1
            if json.count >= Self.flushSize { try flush() }
        }
    }

    private mutating func writeLog(_ table: SnapshotLogRow.Table, of past: SnapshotLogSource) throws {
        let row = try past.rows(of: table)
        defer { row.reset() }
        while try row.step() {
            try past.write(row, of: table, to: &json)
            written += 1
            if json.count >= Self.flushSize { try flush() }
        }
    }

    private mutating func writeEnd(records: Int) throws -> String {
        try flush()
        let sha256 = try gzip.digest().hexadecimal
        json.raw("{\"end\":true,\"records\":")
        json.integer(Int64(records))
        json.raw(",\"sha256\":")
        json.text(sha256)
        json.raw("}\n")
        try gzip.write(json.bytes)
        try gzip.finish()
        return sha256
    }

    private mutating func flush() throws {
        try cancellationToken.check()
        report(SnapshotProgress(.writing, done: written, of: total))
        try gzip.write(json.bytes)
        json.removeAll()
    }
}

extension FieldValue {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension SHA256Digest {
    var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

/// The conversion of a table's rows to lines. All constant parts are computed once.
struct RecordLine {
    private struct Column {
        /// The index of the column. The id and the version, which are not properties, precede it.
        let index: Int
        let isBoolean: Bool
        /// The range of ``pieces`` with the text before the value.
        let name: Range<Int>
    }

    /// The text that is the same in each line, concatenated.
    private let pieces: [UInt8]
    private let beginning: Range<Int>
    private let columns: [Column]

    init(_ table: ModelTable, includingSecrets: Bool) {
        var json = JSONWriter()
        json.raw("{\"model\":")
        json.text(table.model.name)
        json.raw(",\"id\":")
        beginning = 0..<json.count
        var columns: [Column] = []
        for (index, property) in table.model.storedProperties.enumerated() where includingSecrets || !property.isSecret
        {
            let start = json.count
            json.raw(columns.isEmpty ? ",\"values\":{" : ",")
            json.text(property.name)
            json.raw(":")
            columns.append(Column(index: index + 2, isBoolean: property.type == .boolean, name: start..<json.count))
        }
        self.columns = columns
        pieces = json.bytes
    }

    /// Writes the line of a row.
    ///
    /// - Parameter row: A row of ``ModelTable/selection``.
    func write(_ row: any Row, to json: inout JSONWriter) {
        pieces.withUnsafeBytes { pieces in
            json.raw(UnsafeRawBufferPointer(rebasing: pieces[beginning]))
            row.write(0, to: &json)
            json.raw(",\"version\":")
            json.integer(row.integer(1))
            if columns.isEmpty { json.raw(",\"values\":{") }
            for column in columns {
                json.raw(UnsafeRawBufferPointer(rebasing: pieces[column.name]))
                row.write(column.index, isBoolean: column.isBoolean, to: &json)
            }
            json.raw("}}\n")
        }
    }
}

extension Row {
    /// Writes a value. Texts are written from the engine's bytes, without a `String` in between.
    fileprivate func write(_ column: Int, isBoolean: Bool = false, to json: inout JSONWriter) {
        switch borrowedValue(column) {
        case .integer(let number) where isBoolean: json.boolean(number != 0)
        case .integer(let number): json.integer(number)
        case .real(let number): json.real(number)
        case .text(let bytes): json.text(bytes)
        case .blob(let bytes): json.text(Data(bytes).base64EncodedString())
        case .null: json.raw("null")
        }
    }
}

/// The conversion of a link table's rows to lines.
struct LinkLine {
    private let beginning: [UInt8]

    init(_ table: LinkTable) {
        var json = JSONWriter()
        json.raw("{\"link\":{\"model\":")
        json.text(table.relation.source.model)
        json.raw(",\"property\":")
        json.text(table.relation.source.property)
        json.raw(",\"id\":")
        beginning = json.bytes
    }

    /// Writes the line of a row.
    ///
    /// - Parameter row: A row of ``LinkTable/snapshotSelection``.
    func write(_ row: any Row, to json: inout JSONWriter) {
        let link = row.link(0)
        json.raw(beginning)
        json.text(link.source)
        json.raw(",\"target\":")
        json.text(link.target)
        json.raw("}}\n")
    }
}
