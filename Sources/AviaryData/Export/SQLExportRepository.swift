package import AviaryDomain
import Foundation

/// Exports from the store in a data directory, read from a copy: a slow reader of what is written holds nothing back.
package struct SQLExportRepository: ExportRepository {
    private static let flushSize = 1 << 16
    private static let progressStep = 10_000

    let dataPath: String
    let schema: Schema
    let engine: any StoreEngine
    let interruption: Interruption

    package init(
        data path: String, schema: Schema, engine: any StoreEngine = StoreEngines.standard,
        interruption: Interruption = Interruption()
    ) {
        dataPath = path
        self.schema = schema
        self.engine = engine
        self.interruption = interruption
    }

    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``, ``SnapshotError/Reason/interrupted``.
    package func export(
        _ model: ModelSchema, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary {
        try await BlockingWork.run {
            guard DataDirectory.hasStore(at: dataPath) else { throw StoreOpenError.missing(path: dataPath + "/store.sqlite") }
            let directory = try DataDirectory(path: dataPath)
            switch destination {
            case .standardOutput:
                let sink = FileSink(descriptor: STDOUT_FILENO, path: "standard output")
                return try write(model, of: directory, as: format, to: sink, named: nil, progress)
            case .file(let path):
                let file = try NewFile(path)
                let summary = try write(model, of: directory, as: format, to: file.sink, named: path, progress)
                try file.publish()
                return summary
            }
        }
    }

    private func write(
        _ model: ModelSchema, of directory: DataDirectory, as format: ExportFormat, to sink: FileSink, named path: String?,
        _ progress: (Int) -> Void
    ) throws -> ExportSummary {
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        defer { withExtendedLifetime(working) {} }
        let copy = try StoreCopy(of: directory, schema: schema, in: working, engine: engine)
        defer { copy.connection.close() }
        guard case .integer(let commit) = try MetaTable.value(.commit, in: copy.connection) else {
            throw StoreOpenError.notAStore(path: copy.connection.path)
        }
        let count = try writeRecords(of: model, in: copy, as: format, to: sink, progress)
        return ExportSummary(model: model.name, records: count, commit: commit, path: path)
    }

    private func writeRecords(
        of model: ModelSchema, in copy: StoreCopy, as format: ExportFormat, to sink: FileSink, _ progress: (Int) -> Void
    ) throws -> Int {
        let properties = ExportedProperties(of: model, in: schema, as: format)
        var text = RecordText(properties, as: format)
        text.writeHeader()
        var count = 0
        // A model that the program has and the file not yet has no records.
        if let table = copy.tables[model.name], try TotalTable.models(in: copy.connection).contains(model.name) {
            let cursors = try cursors(properties, of: model, in: copy)
            let row = try copy.connection.statement("SELECT \(table.selection) FROM \(table.name) ORDER BY id")
            defer { row.reset() }
            while try row.step() {
                guard let id = row.text(0) else { throw RecordDecodingError(model: model.name) }
                text.write(id, row.values(2..<table.columns.count + 2), links: try cursors.map { try $0.links(of: id) })
                count += 1
                if text.bytes.count >= Self.flushSize { try flush(&text, to: sink) }
                if count.isMultiple(of: Self.progressStep) { progress(count) }
            }
        }
        try flush(&text, to: sink)
        return count
    }

    private func cursors(_ properties: ExportedProperties, of model: ModelSchema, in copy: StoreCopy) throws -> [LinkCursor] {
        try properties.all.compactMap { property, source in
            guard source == .links, let side = copy.tables.linkSide(property.name, of: model.name) else { return nil }
            return try LinkCursor(side, in: copy.connection)
        }
    }

    private func flush(_ text: inout RecordText, to sink: FileSink) throws {
        try interruption.check()
        try sink.write(text.bytes)
        text.removeAll()
    }
}
