import AviaryDomain
import Foundation

@testable import AviaryData

extension MigratedStore {
    /// Whose id another record of another model may have too.
    func insert(_ name: String, into model: String, id: UUID = .version7()) async throws -> UUID {
        try await submit(.insert(model: model, id: id, values: ["name": .text(name)]))
        return id
    }

    /// The rows of a relation by the names of their records, such as `Emma - Jane`, sorted.
    func links(_ relation: String, _ source: String, _ target: String) throws -> [String] {
        let sql = """
            SELECT a.name || ' - ' || b.name FROM "aviary_link.\(relation)" AS link
            JOIN "\(source)" AS a ON a.id = link.source JOIN "\(target)" AS b ON b.id = link.target ORDER BY 1
            """
        return try read { try $0.rows(sql) { $0.text(0) ?? "" } }
    }

    /// What a relation's table refers to: source, then target.
    func references(_ relation: String) throws -> [String?] {
        let references = try read { try $0.references(ofTable: "aviary_link.\(relation)") }
        return [references["source"], references["target"]]
    }

    func linkTables() throws -> [String] {
        try tables().filter { $0.hasPrefix("aviary_link.") || $0.hasPrefix("aviary_new.") }
    }

    /// What SQLite's own checks find.
    func problems() throws -> [String] {
        try read { connection in
            try ["PRAGMA integrity_check", "PRAGMA foreign_key_check"].flatMap { sql in
                try connection.rows(sql) { $0.text(0) ?? "" }.filter { $0 != "ok" }
            }
        }
    }

    /// As a program wrote the file that did not tell of relations in its schema's lines. The store must be closed.
    func forgetRelations() throws {
        let connection = try SQLiteEngine().openWriter(directory)
        defer { connection.close() }
        guard case .text(let text) = try MetaTable.value(.schema, in: connection) else { throw UnexpectedResult() }
        let lines = text.split(separator: "\n").filter { !$0.contains(" links(") }
        try MetaTable.set(.schema, to: .text(lines.joined(separator: "\n")), in: connection)
    }

    func schemaLines() throws -> [String] {
        guard case .text(let text) = try read({ try MetaTable.value(.schema, in: $0) }) else {
            throw UnexpectedResult()
        }
        return text.split(separator: "\n").map(String.init)
    }
}
