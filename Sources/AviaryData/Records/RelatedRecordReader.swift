import AviaryDomain
import Foundation

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
            WHERE \(key) IN (SELECT value FROM \(dialect.list)) ORDER BY related.id
            """
        // A list can represent all ids.
        let list = dialect.value(ofList: keys.filter { !$0.isNull }) ?? .null
        return try connection.rows(sql, [list]) { row in (row.value(0), try columns.record(row, from: 1)) }
    }
}

extension FieldValue {
    fileprivate var uuid: UUID? { if case .text(let text) = self { UUID(canonicalText: text) } else { nil } }
}
