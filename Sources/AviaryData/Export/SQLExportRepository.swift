package import AviaryDomain
import Foundation

/// Exports from the store in a data directory, read from a copy: a slow reader of what is written holds nothing back.
package struct SQLExportRepository: ExportRepository {
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
        _ model: ModelSchema, _ query: ExportQuery, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary {
        try await BlockingWork.run {
            guard DataDirectory.hasStore(at: dataPath) else { throw StoreOpenError.missing(path: dataPath + "/store.sqlite") }
            let directory = try DataDirectory(path: dataPath)
            switch destination {
            case .standardOutput:
                let sink = FileSink(descriptor: STDOUT_FILENO, path: "standard output")
                return try write(model, query, of: directory, as: format, to: sink, named: nil, progress)
            case .file(let path):
                let file = try NewFile(path)
                let summary = try write(model, query, of: directory, as: format, to: file.sink, named: path, progress)
                try file.publish()
                return summary
            }
        }
    }

    private func write(
        _ model: ModelSchema, _ query: ExportQuery, of directory: DataDirectory, as format: ExportFormat, to sink: FileSink,
        named path: String?, _ progress: @escaping (Int) -> Void
    ) throws -> ExportSummary {
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        defer { withExtendedLifetime(working) {} }
        let copy = try StoreCopy(of: directory, schema: schema, in: working, engine: engine)
        defer { copy.connection.close() }
        guard case .integer(let commit) = try MetaTable.value(.commit, in: copy.connection) else {
            throw StoreOpenError.notAStore(path: copy.connection.path)
        }
        var export = RecordExport(
            model: model, query: query, format: format, tables: copy.tables, aids: try QueryAids(of: copy.connection), sink: sink
        )
        export.check = interruption.check
        export.progress = progress
        return ExportSummary(model: model.name, records: try export.write(from: copy.connection), commit: commit, path: path)
    }
}
