import AviaryDomain
import Foundation

/// A reader of records together with the titles of the records that they refer to, in one statement.
struct RecordReader: Sendable {
    let table: ModelTable
    /// The `SELECT … FROM …` clause with the joins.
    let selection: String
    /// The title of the reference with its first result column, for each stored property.
    private let titleColumns: [(start: Int, title: TitleColumns)?]

    init(_ table: ModelTable, tables: ModelTables) {
        self.table = table
        var columns = (["id", "aviary_version"] + table.columns).map { "record.\($0)" }
        var joins = ""
        var titleColumns = [(start: Int, title: TitleColumns)?](repeating: nil, count: table.columns.count)
        for (number, reference) in table.references.enumerated() {
            guard let target = tables[reference.target] else { continue }
            let title = TitleColumns(target.model, as: "reference\(number)", in: tables, depth: 1)
            guard !title.columns.isEmpty else { continue }
            titleColumns[reference.index] = (columns.count, title)
            columns += title.columns
            joins +=
                " LEFT JOIN \(target.name) AS reference\(number)"
                + " ON reference\(number).id = record.\(reference.column)" + title.joins
        }
        self.titleColumns = titleColumns
        selection = "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) AS record\(joins)"
    }

    func record(_ row: any Row) throws -> Record {
        let titles: [String?] =
            table.references.isEmpty
            ? []
            : titleColumns.indices.map { index in
                title(of: index, row)
            }
        return try table.record(row, referenceTitles: titles)
    }

    /// Returns the records with these ids, in the order of the ids.
    func records(of ids: [FieldValue], in connection: any Connection) throws -> [Record] {
        guard !ids.isEmpty else { return [] }
        let dialect = table.dialect
        let sql = "\(selection) WHERE record.id IN (SELECT value FROM \(dialect.textList))"
        // A list can represent all ids.
        let found = try connection.rows(sql, [dialect.value(ofList: ids) ?? .null], read: record)
        let byID = Dictionary(
            found.map { (FieldValue.text($0.id.canonicalText), $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { byID[$0] }
    }

    /// Returns the title of a record as ``Record/title(in:)`` does. The id replaces a missing title.
    private func title(of index: Int, _ row: any Row) -> String? {
        guard case .toOne = table.model.storedProperties[index].type else { return nil }
        guard let id = row.text(index + 2) else { return nil }
        return titleColumns[index].flatMap { $0.title.title(row, from: $0.start) } ?? id
    }
}

extension String {
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// The columns of a model's records within a row of any statement. The program need not declare the models that
/// they refer to.
struct RecordColumns {
    let model: ModelSchema
    private let columns: [String]

    init(_ model: ModelSchema, _ dialect: any SQLDialect) {
        self.model = model
        columns = ["id", "aviary_version"] + model.storedProperties.map { dialect.name($0.name) }
    }

    func selection(from table: String) -> String {
        columns.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// Returns the record in a row.
    ///
    /// - Parameter start: The index of its first column.
    func record(_ row: any Row, from start: Int) throws(RecordDecodingError) -> Record {
        guard let id = row.uuid(start) else { throw RecordDecodingError(model: model.name) }
        return Record(
            id: id, version: row.integer(start + 1), values: row.values((start + 2)..<(start + columns.count)))
    }
}

/// A reader of related records that runs one statement for each relation.
struct RelatedRecordReader {
    let model: ModelSchema
    let connection: any Connection
    private var dialect: any SQLDialect { connection.dialect }

    init(_ model: ModelSchema, _ connection: any Connection) {
        self.model = model
        self.connection = connection
    }

    /// Returns the related records, by the id of the record that has the relation.
    func related(to records: [Record], by path: RelationPath) throws -> [UUID: [Record]] {
        var lists = Dictionary(records.map { ($0.id, [Record]()) }, uniquingKeysWith: { first, _ in first })
        switch path {
        case .reference(let property, let target):
            let references = records.map { ($0.id, $0.value(property, in: model)) }
            let found = try rows(target.schema, keyedBy: "related.id", in: Set(references.map(\.1)))
            let byKey = Dictionary(found, uniquingKeysWith: { first, _ in first })
            for (id, key) in references { lists[id] = byKey[key].map { [$0] } ?? [] }
        case .inverse(let property, let other):
            let column = "related.\(dialect.name(property))"
            for (key, record) in try rows(other.schema, keyedBy: column, in: keys(of: records)) {
                if let id = key.uuid { lists[id]?.append(record) }
            }
        case .links(let link, let other):
            let table = dialect.name(LinkTable.namePrefix + link.name)
            let own = link.isInverse ? "target" : "source", there = link.isInverse ? "source" : "target"
            let join = "JOIN \(table) AS link ON link.\(there) = related.id"
            for (key, record) in try rows(other.schema, keyedBy: "link.\(own)", in: keys(of: records), join) {
                if let id = key.uuid { lists[id]?.append(record) }
            }
        }
        return lists
    }

    private func keys(of records: [Record]) -> Set<FieldValue> { Set(records.map { .text($0.id.canonicalText) }) }

    private func rows(
        _ other: ModelSchema, keyedBy key: String, in keys: Set<FieldValue>, _ join: String = ""
    ) throws -> [(FieldValue, Record)] {
        let columns = RecordColumns(other, dialect)
        let sql = """
            SELECT \(key), \(columns.selection(from: "related")) FROM \(dialect.name(other.name)) AS related \(join) \
            WHERE \(key) IN (SELECT value FROM \(dialect.textList)) ORDER BY related.id
            """
        // A list can represent all ids.
        let list = dialect.value(ofList: keys.filter { !$0.isNull }) ?? .null
        return try connection.rows(sql, [list]) { row in (row.value(0), try columns.record(row, from: 1)) }
    }
}

extension FieldValue {
    fileprivate var uuid: UUID? { if case .text(let text) = self { UUID(canonicalText: text) } else { nil } }
}

/// The columns and joins by which a statement reads the titles of a model's records.
struct TitleColumns: Sendable {
    /// The number of references that a title follows in a row. Titles of models that refer to each other end there,
    /// and a statement never joins more tables than an engine permits.
    private static let deepest = 2

    private let model: ModelSchema
    /// The names of the model's own columns, without its alias.
    let names: [String]
    /// The model's own columns, then those of the titles of referenced records.
    let columns: [String]
    /// The joins of the referenced records, which follow the model's own table in the statement.
    let joins: String
    /// The stored properties that the title needs, in the order of ``names``.
    private let indexes: [Int]
    private let references: [(index: Int, start: Int, title: TitleColumns)]

    /// Creates the columns.
    ///
    /// - Parameters:
    ///   - alias: The alias of the model's table in the statement.
    ///   - depth: The number of references that lead from the records of the statement to the model.
    init(_ model: ModelSchema, as alias: String, in tables: ModelTables, depth: Int = 0) {
        let dialect = tables.dialect
        let indexes = model.title.isComputed ? Array(model.storedProperties.indices) : model.title.parts
        let names = indexes.map { dialect.name(model.storedProperties[$0].name) }
        var columns = names.map { "\(alias).\($0)" }
        var joins = ""
        var references: [(index: Int, start: Int, title: TitleColumns)] = []
        if !model.title.isComputed, depth < Self.deepest {
            for (number, index) in indexes.enumerated() {
                guard case .toOne(let target) = model.storedProperties[index].type, let other = tables[target] else {
                    continue
                }
                let inner = "\(alias)_\(number)"
                let title = TitleColumns(other.model, as: inner, in: tables, depth: depth + 1)
                references.append((index, columns.count, title))
                columns += title.columns
                joins += " LEFT JOIN \(other.name) AS \(inner) ON \(inner).id = \(alias).\(names[number])"
                joins += title.joins
            }
        }
        self.model = model
        self.indexes = indexes
        self.names = names
        self.columns = columns
        self.joins = joins
        self.references = references
    }

    /// Returns the title of the record in a row; nil when it has none.
    ///
    /// - Parameter start: The index of the first of ``columns``.
    func title(_ row: any Row, from start: Int) -> String? {
        // The usual title needs no record.
        if model.titleText != nil { return row.text(start).flatMap { $0.isBlank ? nil : $0 } }
        var values = [FieldValue](repeating: .null, count: model.storedProperties.count)
        for (offset, index) in indexes.enumerated() { values[index] = row.value(start + offset) }
        var titles: [String?] = references.isEmpty ? [] : Array(repeating: nil, count: values.count)
        for reference in references {
            titles[reference.index] = reference.title.title(row, from: start + reference.start)
        }
        // A closure of the application may decode the record, and no title is made of the id.
        return Record(id: UUID(), version: 0, values: values, referenceTitles: titles).shownTitle(in: model)
    }
}

extension TitleColumns {
    /// Returns the record in a row that has its id and then the columns of its title.
    ///
    /// - Parameter start: The index of the id.
    func choice(_ row: any Row, from start: Int = 0) throws(RecordDecodingError) -> RecordChoice {
        guard let id = row.uuid(start) else { throw RecordDecodingError(model: model.name) }
        return RecordChoice(id: id, title: title(row, from: start + 1) ?? id.canonicalText)
    }
}
