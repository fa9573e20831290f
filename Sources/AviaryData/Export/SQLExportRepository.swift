package import AviaryDomain
import Foundation

/// Exports from the store in a data directory. For a file the store itself is read, at one moment of it; what goes to standard output
/// is read from a copy, so that whoever takes it at a slow pace holds nothing back.
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
            guard DataDirectory.hasStore(at: dataPath) else {
                throw StoreOpenError.missing(path: dataPath + "/store.sqlite")
            }
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
        _ model: ModelSchema, _ query: ExportQuery, of directory: DataDirectory, as format: ExportFormat,
        to sink: FileSink,
        named path: String?, _ progress: @escaping (Int) -> Void
    ) throws -> ExportSummary {
        if path != nil {
            return try StoreCopy.reading(directory, schema: schema, engine: engine) { store in
                try write(model, query, of: store, as: format, to: sink, named: path, progress)
            }
        }
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        defer { withExtendedLifetime(working) {} }
        let copy = try StoreCopy(
            of: directory, schema: schema, in: working, engine: engine,
            otherWay: "Or give a file with --output: for one no copy is needed."
        )
        defer { copy.connection.close() }
        return try write(model, query, of: copy, as: format, to: sink, named: path, progress)
    }

    private func write(
        _ model: ModelSchema, _ query: ExportQuery, of store: StoreCopy, as format: ExportFormat, to sink: FileSink,
        named path: String?, _ progress: @escaping (Int) -> Void
    ) throws -> ExportSummary {
        guard case .integer(let commit) = try MetaTable.value(.commit, in: store.connection) else {
            throw StoreOpenError.notAStore(path: store.connection.path)
        }
        var export = RecordExport(
            model: model, query: query, format: format, tables: store.tables, aids: try QueryAids(of: store.connection),
            sink: sink
        )
        export.check = interruption.check
        export.progress = progress
        return ExportSummary(
            model: model.name, records: try export.write(from: store.connection), commit: commit, path: path)
    }
}
