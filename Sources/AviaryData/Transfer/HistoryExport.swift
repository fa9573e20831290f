import AviaryDomain
import Foundation

/// An export of the history as text, entry by entry.
///
/// CSV has a line for each property of an entry, and JSON Lines an object for each entry.
struct HistoryExport {
    private static let flushSize = 1 << 16
    private static let progressStep = 10_000
    private static let columns = [
        "time", "commit", "account", "model", "record", "kind", "property", "before", "after", "secret",
    ]

    let query: HistoryExportQuery
    let format: ExportFormat
    let tables: ModelTables
    let sink: any ByteSink
    /// A function that throws after the export was cancelled.
    var check: () throws -> Void = {}
    var progress: (Int) -> Void = { _ in }

    /// Writes the entries.
    ///
    /// - Returns: The number of entries.
    func write(from connection: any Connection) throws -> Int {
        var bytes: [UInt8] = []
        if format == .csv { CSVLine.write(Self.columns, to: &bytes) }
        // The entries of a long change are not complete yet. They and all later ones are left to the next export.
        let incomplete = try LongChange.read(from: connection)?.commit
        let (sql, values) = statement(connection.dialect, before: incomplete)
        let row = try connection.statement(sql)
        defer { row.reset() }
        try row.bind(values)
        var count = 0
        while try row.step() {
            let entry = try ExportedEntry(row, tables: tables)
            switch format {
            case .csv: entry.writeCells(to: &bytes)
            case .jsonl: entry.writeObject(to: &bytes)
            }
            count += 1
            if bytes.count >= Self.flushSize { try flush(&bytes) }
            if count.isMultiple(of: Self.progressStep) { progress(count) }
        }
        try flush(&bytes)
        return count
    }

    private func statement(
        _ dialect: any SQLDialect, before incomplete: Int64?
    ) -> (sql: String, values: [FieldValue]) {
        var conditions: [String] = [], values: [FieldValue] = []
        func add(_ condition: String, _ value: FieldValue) {
            conditions.append(condition)
            values.append(value)
        }
        if let model = query.model { add("entry.model = ?", .text(model)) }
        // The result is in the order of the entries whatever the conditions, so the statement must use the entries'
        // index.
        if let account = query.account { add("\(dialect.withoutIndex("head.author")) = ?", .text(account)) }
        if let incomplete { add("entry.\"commit\" < ?", .integer(incomplete)) }
        if let commit = query.sinceCommit { add("entry.\"commit\" > ?", .integer(commit)) }
        if let since = query.since { add("\(dialect.withoutIndex("head.time")) >= ?", .integer(since.milliseconds)) }
        if let until = query.until { add("\(dialect.withoutIndex("head.time")) < ?", .integer(until.milliseconds)) }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return (
            """
            SELECT entry.number, entry."commit", head.time, head.author, head.undoes, entry.model, entry.record, entry.kind, \
            entry.fields FROM aviary_change AS entry JOIN aviary_commit AS head ON head.number = entry."commit"\(condition) \
            ORDER BY entry.number
            """, values
        )
    }

    private func flush(_ bytes: inout [UInt8]) throws {
        try check()
        try sink.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// An entry of the history in a form for people.
private struct ExportedEntry {
    private let number: Int64
    private let commit: Int64
    private let time: String
    private let account: String
    private let undoes: Int64?
    private let model: String
    private let record: String
    private let kind: RecordChange.Kind
    /// The fields in the order of the model's properties. Properties that the model no longer has come last.
    private let fields: [(name: String, property: PropertySchema?, change: FieldChange)]

    /// Creates an entry.
    ///
    /// - Parameter row: A row of the statement of ``HistoryExport``.
    init(_ row: any Row, tables: ModelTables) throws {
        guard let account = row.text(3), let model = row.text(5), let record = row.text(6),
            let kind = RecordChange.Kind(rawValue: row.integer(7)), let text = row.text(8)
        else { throw RecordDecodingError(model: "aviary_change") }
        number = row.integer(0)
        commit = row.integer(1)
        time = Date(milliseconds: row.integer(2)).rfc3339 ?? ""
        self.account = account
        undoes = row.isNull(4) ? nil : row.integer(4)
        self.model = model
        self.record = record
        self.kind = kind
        var reader = JSONReader(Array(text.utf8))
        let changes = try reader.fieldChanges(kind)
        let properties = tables[model]?.model.properties ?? []
        let places = Dictionary(
            properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        fields = changes.sorted { one, other in
            (places[one.key] ?? .max, one.key) < (places[other.key] ?? .max, other.key)
        }.map { name, change in
            let property = places[name].map { properties[$0] }
            // An entry that was written before the property became secret contains its values.
            return (name, property, property?.isSecret == true ? .secret : change)
        }
    }

    func writeCells(to bytes: inout [UInt8]) {
        let head = [time, String(commit), AuditText.cell(account), model, record, kind.name]
        guard !fields.isEmpty else { return CSVLine.write(head + ["", "", "", ""], to: &bytes) }
        for (name, property, change) in fields {
            func cell(_ value: FieldValue) -> String {
                guard !change.isSecret else { return "" }
                guard let property, !kind.isOfLink else { return AuditText.cell(value) }
                return property.csvText(of: value)
            }
            let values = [name, cell(change.before), cell(change.after), change.isSecret ? "true" : ""]
            CSVLine.write(head + values, to: &bytes)
        }
    }

    func writeObject(to bytes: inout [UInt8]) {
        var json = JSONWriter()
        json.raw("{\"number\":")
        json.integer(number)
        json.raw(",\"commit\":")
        json.integer(commit)
        for (name, text) in [
            ("time", time), ("account", account), ("model", model), ("record", record), ("kind", kind.name),
        ] {
            json.raw(",")
            json.text(name)
            json.raw(":")
            json.text(text)
        }
        if let undoes {
            json.raw(",\"undoes\":")
            json.integer(undoes)
        }
        json.raw(",\"fields\":{")
        for (index, field) in fields.enumerated() {
            if index > 0 { json.raw(",") }
            json.text(field.name)
            guard !field.change.isSecret else {
                json.raw(":{\"secret\":true}")
                continue
            }
            json.raw(":{\"before\":")
            json.exported(field.change.before, of: field.property)
            json.raw(",\"after\":")
            json.exported(field.change.after, of: field.property)
            json.raw("}")
        }
        json.raw("}}\n")
        bytes += json.bytes
    }
}

extension JSONWriter {
    /// Writes a value as in the export of a record. If the model no longer has the property, it writes the stored
    /// value.
    fileprivate mutating func exported(_ value: FieldValue, of property: PropertySchema?) {
        guard let property, property.type.isStored else { return self.value(value) }
        write(value, of: property.type)
    }
}

extension PropertyType {
    fileprivate var isStored: Bool { if case .toMany = self { false } else { true } }
}
