import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

extension StoreFixture {
    var exports: SQLExportRepository { SQLExportRepository(data: directory.path, schema: schema) }

    /// Returns the contents of a file with all records of the model.
    func exported(_ model: ModelSchema, as format: ExportFormat) async throws -> String {
        let path = temporary.path + "/" + UUID().uuidString
        defer { unlink(path) }
        _ = try await exports.export(model, as: format, to: .file(path), progress: { _ in })
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    func importCSV(_ text: String, of model: ModelSchema) async throws {
        let plan = try await RecordImport(model: model, schema: schema).plan(
            Array(text.utf8), lookUp: Stored(fixture: self))
        _ = try await store.submit(plan.changeSet(author: "test"))
    }

    func importLines(_ text: String, of model: ModelSchema, match: ImportMatch = .none) async throws -> ImportReport {
        let path = temporary.path + "/" + UUID().uuidString
        defer { unlink(path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        let source = try FileImportSource(path, limits: .own)
        #expect(source.format == .jsonl)
        return try await RecordImport(model: model, schema: schema, match: match).run(
            source, lookUp: Stored(fixture: self)
        ) {
            try await store.submit($0.changeSet(author: "test"))
        }
    }

    /// Returns the links as `Book.authors SOURCE TARGET`, sorted.
    func linksAsText() throws -> [String] {
        try readers.read { connection in
            try schema.links.flatMap { relation in
                let table = connection.dialect.name(LinkTable.namePrefix + relation.name)
                return try connection.rows("SELECT source, target FROM \(table)") { row in
                    [relation.name, row.text(0) ?? "", row.text(1) ?? ""].joined(separator: " ")
                }
            }
        }.sorted()
    }
}

private struct Stored: RecordLookup {
    let fixture: StoreFixture

    private func repository(_ model: ModelSchema) -> SQLRecordRepository {
        SQLRecordRepository(model: model, schema: fixture.schema, readers: fixture.readers, writer: fixture.store)
    }

    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        try await repository(model).ids(where: values, limit: 2)
    }

    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool {
        try await repository(model).find(id) != nil
    }
    func record(_ id: UUID, of model: ModelSchema) async throws -> Record? { try await repository(model).find(id) }

    func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID] {
        try await repository(model).related(to: [id], by: property, limit: 100)[id]?.first.map(\.id) ?? []
    }

    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int {
        try await repository(model).related(to: [id], by: property, limit: 0)[id]?.count ?? 0
    }
}
