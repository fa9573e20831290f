import AviaryDomain

/// A line behind the manifest.
enum SnapshotLine {
    case record(SnapshotRecord)
    case link(SnapshotLink)
    case log(SnapshotLogRow)
    case end(records: Int64, sha256: String)
}

/// A record as a snapshot carries it, fitted to the schema.
struct SnapshotRecord: Sendable {
    let table: ModelTable
    let version: Int64
    /// The id, the version, then the values in column order.
    let row: [FieldValue]
    /// The places of secrets that the snapshot does not have; nothing stands there.
    let withheld: [Int]

    init(table: ModelTable, id: String, version: Int64, values: [FieldValue], withheld: [Int] = []) {
        self.table = table
        self.version = version
        row = [.text(id), .integer(version)] + values
        self.withheld = withheld
    }

    var values: ArraySlice<FieldValue> { row.dropFirst(2) }
}

extension SnapshotLine {
    /// - Throws: ``SnapshotError``, ``JSONError``.
    init(_ reader: inout JSONReader, tables: ModelTables, columns: [String: SnapshotColumns]) throws {
        var record = PartialRecord(columns: columns)
        var link: SnapshotLink?
        var log: SnapshotLogRow?
        var records: Int64?
        var sha256: String?
        var isEnd = false
        try reader.object { name, reader in
            switch name {
            case "model": try record.readModel(&reader)
            case "id": record.id = try reader.text()
            case "version": record.version = try reader.wholeNumber()
            case "values": try record.readValues(&reader)
            case "link": link = try SnapshotLink(&reader, tables: tables)
            case "commit", "change", "discard":
                guard log == nil, let table = SnapshotLogRow.Table(rawValue: name) else {
                    throw SnapshotError(.malformedRecord(localized("it is more than one thing.")))
                }
                log = try SnapshotLogRow(table, &reader)
            case "end": isEnd = try reader.boolean()
            case "records": records = try reader.wholeNumber()
            case "sha256": sha256 = try reader.text()
            default: throw SnapshotError(.malformedRecord(localized("it has a part that is not known.")))
            }
        }
        try reader.finish()
        guard isEnd else {
            guard records == nil, sha256 == nil else {
                throw SnapshotError(.malformedRecord(localized("parts of the last line are in it.")))
            }
            if let log {
                guard record.isEmpty, link == nil else {
                    throw SnapshotError(.malformedRecord(localized("it is more than one thing.")))
                }
                self = .log(log)
            } else if let link {
                guard record.isEmpty else {
                    throw SnapshotError(.malformedRecord(localized("it is a record and a link.")))
                }
                self = .link(link)
            } else {
                self = .record(try record.complete())
            }
            return
        }
        guard record.isEmpty, link == nil, log == nil, let records, let sha256 else {
            throw SnapshotError(.malformedRecord(localized("the last line is incomplete.")))
        }
        self = .end(records: records, sha256: sha256)
    }
}
