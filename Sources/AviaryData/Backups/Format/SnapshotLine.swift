import AviaryDomain
import Foundation

/// A line that follows the manifest.
enum SnapshotLine {
    case record(SnapshotRecord)
    case link(SnapshotLink)
    case log(SnapshotLogRow)
    case end(records: Int64, sha256: String)
}

/// A record of a snapshot, with values that fit the schema.
struct SnapshotRecord: Sendable {
    let table: ModelTable
    let version: Int64
    /// The id, the version, then the values in column order.
    let row: [FieldValue]
    /// The indexes of the secrets that the snapshot does not contain; their values are empty.
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
    /// Creates a line from its JSON.
    ///
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
                    throw SnapshotError(.malformedRecord(localized("more than one kind of entry.")))
                }
                log = try SnapshotLogRow(table, &reader)
            case "end": isEnd = try reader.boolean()
            case "records": records = try reader.wholeNumber()
            case "sha256": sha256 = try reader.text()
            default: throw SnapshotError(.malformedRecord(localized("unknown part.")))
            }
        }
        try reader.finish()
        guard isEnd else {
            guard records == nil, sha256 == nil else {
                throw SnapshotError(.malformedRecord(localized("contains parts of the last line.")))
            }
            if let log {
                guard record.isEmpty, link == nil else {
                    throw SnapshotError(.malformedRecord(localized("more than one kind of entry.")))
                }
                self = .log(log)
            } else if let link {
                guard record.isEmpty else {
                    throw SnapshotError(.malformedRecord(localized("both a record and a link.")))
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

/// A link in a snapshot: `{"link":{"model":"Book","property":"authors","id":…,"target":…}}`.
struct SnapshotLink: Sendable {
    let table: LinkTable
    let link: LinkRow

    /// Creates a link from its JSON.
    ///
    /// - Throws: ``SnapshotError``, ``JSONError``.
    init(_ reader: inout JSONReader, tables: ModelTables) throws {
        var texts: [String: String] = [:]
        try reader.object { name, reader in
            switch name {
            case "model", "property", "id", "target": texts[name] = try reader.text()
            default: throw SnapshotError(.malformedRecord(localized("unknown part of the link.")))
            }
        }
        guard let model = texts["model"], let property = texts["property"],
            let id = texts["id"], UUID(canonicalText: id) != nil,
            let target = texts["target"], UUID(canonicalText: target) != nil
        else {
            throw SnapshotError(
                .malformedRecord(
                    localized("the link’s model, property or a canonical UUID is missing.")))
        }
        guard let side = tables.linkSide(property, of: model), !side.end.isInverse else {
            throw SnapshotError(.malformedRecord(localized("the link’s relation is not in the schema.")))
        }
        table = side.table
        link = side.link(id, target)
    }
}

extension LinkTable {
    /// The statement that selects each link once, in any order.
    var snapshotSelection: String {
        "SELECT source, target FROM \(name)" + (relation.isSymmetric ? " WHERE source <= target" : "")
    }

    var snapshotCount: String {
        "SELECT count(*) FROM \(name)" + (relation.isSymmetric ? " WHERE source <= target" : "")
    }
}

/// A record whose line is being read.
struct PartialRecord {
    let columns: [String: SnapshotColumns]
    var id: String?
    var version: Int64?
    private var model: SnapshotColumns?
    private var values: (all: [FieldValue], withheld: [Int])?
    /// The position of the values if they precede the model, which determines their types.
    private var postponed: JSONReader?

    init(columns: [String: SnapshotColumns]) {
        self.columns = columns
    }

    var isEmpty: Bool { id == nil && version == nil && model == nil && values == nil && postponed == nil }

    mutating func readModel(_ reader: inout JSONReader) throws {
        let name = try reader.text()
        guard let model = columns[name] else { throw SnapshotError(.unknownModel) }
        self.model = model
    }

    mutating func readValues(_ reader: inout JSONReader) throws {
        guard let model else {
            postponed = reader
            return try reader.skip()
        }
        values = try model.values(&reader)
    }

    func complete() throws -> SnapshotRecord {
        guard let model, let id, id.isCanonicalUUID else {
            throw SnapshotError(.malformedRecord(localized("the model or a canonical UUID is missing.")))
        }
        guard let version, version > 0 else {
            throw SnapshotError(.malformedRecord(localized("the version is missing.")))
        }
        var values = values
        if var postponed { values = try model.values(&postponed) }
        guard let values else { throw SnapshotError(.malformedRecord(localized("the values are missing."))) }
        return SnapshotRecord(
            table: model.table, id: id, version: version, values: values.all, withheld: values.withheld)
    }
}

extension String {
    /// Indicates whether the text is a canonical UUID.
    ///
    /// It examines the bytes in place because it is called for each record.
    fileprivate var isCanonicalUUID: Bool {
        var text = self
        return text.withUTF8 { UUID(canonicalUTF8: $0) != nil }
    }
}
