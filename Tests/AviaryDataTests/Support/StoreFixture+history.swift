import AviaryDomain
import Foundation

@testable import AviaryData

extension StoreFixture {
    func changes(of receipt: Receipt) async throws -> [RecordChange] {
        try await history.changes(of: receipt.commit, after: nil, limit: 100_000)
    }

    @discardableResult
    func undo(_ commit: Int64, id: UUID = .version7()) async throws -> Receipt {
        try await store.undo(Undo(id: id, commit: commit, author: "test"))
    }

    /// What stands against undoing the commit; nil when it was undone.
    func undoRefusal(of commit: Int64) async -> [UndoObstacle]? {
        do throws(StoreError) {
            _ = try await store.undo(Undo(commit: commit, author: "test"))
            return nil
        } catch {
            if case .undoRefused(commit, let obstacles) = error { return obstacles }
            return []
        }
    }

    func rowCount(_ table: String) throws -> Int {
        try readers.read { try $0.firstRow("SELECT count(*) FROM \(table)") { Int($0.integer(0)) } ?? 0 }
    }

    /// Everything that is stored, without versions: model, id, values.
    func contents() throws -> [String: [UUID: [FieldValue]]] {
        try readers.read { connection in
            var contents: [String: [UUID: [FieldValue]]] = [:]
            for table in ModelTables(schema, SQLiteDialect()).all {
                let records = try connection.rows("SELECT \(table.selection) FROM \(table.name)") {
                    try table.record($0)
                }
                contents[table.model.name] = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.values) })
            }
            return contents
        }
    }

    /// The rows of all link tables.
    func linkLines() throws -> Set<String> {
        try readers.read { connection in
            var lines = Set<String>()
            for table in ModelTables(schema, SQLiteDialect()).links {
                let rows = try connection.rows("SELECT source, target FROM \(table.name)") { $0.link(0) }
                lines.formUnion(rows.map { "\(table.relation.name) \($0.source) \($0.target)" })
            }
            return lines
        }
    }

    /// Whether doing again what the history tells, from the beginning, gives what is stored.
    func replayMatches() throws -> Bool {
        let tables = ModelTables(schema, SQLiteDialect())
        var replayed: [String: [UUID: [FieldValue]]] = Dictionary(
            uniqueKeysWithValues: tables.all.map { ($0.model.name, [:]) })
        let changes = try readers.read { try ChangeTable.changes(0..<Int64.max, limit: Int.max, in: $0) }
        var links = Set<String>()
        for change in changes {
            if change.kind.isOfLink {
                guard let link = LinkChange(change, tables: tables) else { continue }
                for row in link.side.table.rows(of: link.link) {
                    let line = "\(link.side.table.relation.name) \(row.source) \(row.target)"
                    guard link.isThereAfter ? links.insert(line).inserted : links.remove(line) != nil else {
                        return false
                    }
                }
                continue
            }
            guard let table = tables[change.model] else { return false }
            var values = replayed[change.model]?[change.record] ?? table.columns.map { _ in .null }
            for (name, field) in change.fields {
                guard let index = table.model.storedIndex(of: name), values[index] == field.before else { return false }
                values[index] = field.after
            }
            replayed[change.model]?[change.record] = change.kind == .delete ? nil : values
        }
        return try replayed == contents() && links == linkLines()
    }
}
