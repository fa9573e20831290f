package import AviaryDomain
import Foundation

/// A repository that exports from the store in a data directory.
///
/// An export to a file reads one snapshot of the store itself. An export to standard output reads a copy, so that a
/// slow consumer does not block the store's checkpoints.
package struct SQLExportRepository: ExportRepository {
    /// The compression level of a file whose name ends in `.gz`.
    private static let compressionLevel = 3

    let dataPath: String
    let schema: Schema
    let engine: any StoreEngine
    let cancellationToken: CancellationToken

    package init(
        data path: String, schema: Schema, engine: any StoreEngine = StoreEngines.standard,
        cancellationToken: CancellationToken = CancellationToken()
    ) {
        dataPath = path
        self.schema = schema
        self.engine = engine
        self.cancellationToken = cancellationToken
    }

    /// Exports the records of a model.
    ///
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``, ``SnapshotError/Reason/interrupted``.
    package func export(
        _ model: ModelSchema, _ query: ExportQuery, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary {
        try await export(to: destination) { [cancellationToken] store, sink in
            var export = RecordExport(
                model: model, query: query, format: format, tables: store.tables,
                aids: try QueryIndexes(of: store.connection), sink: sink
            )
            export.check = cancellationToken.check
            export.progress = progress
            var result = Written(name: model.name, count: try export.write(from: store.connection))
            if let since = query.sinceCommit {
                result.deleted = try store.tables[model.name].map { table in
                    try ChangedRecords(of: model, since: since, in: store.connection)
                        .deletedCount(from: table, in: store.connection)
                }
                result.isOfHistory = true
            }
            return result
        }
    }

    /// Exports the history.
    ///
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``, ``SnapshotError/Reason/interrupted``.
    package func exportHistory(
        _ query: HistoryExportQuery, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary {
        try await export(to: destination) { [cancellationToken] store, sink in
            var export = HistoryExport(query: query, format: format, tables: store.tables, sink: sink)
            export.check = cancellationToken.check
            export.progress = progress
            return Written(name: "history", count: try export.write(from: store.connection), isOfHistory: true)
        }
    }

    /// The result of an export.
    private struct Written {
        let name: String
        let count: Int
        var deleted: Int?
        /// Indicates whether the export depends on the history.
        var isOfHistory = false
    }

    /// Runs an export.
    ///
    /// - Parameter work: A function that writes the export.
    private func export(
        to destination: ExportDestination,
        _ work: @escaping @Sendable (StoreCopy, any ByteSink) throws -> Written
    ) async throws -> ExportSummary {
        try await BlockingWork.run {
            guard try engine.hasStore(DataDirectory(found: dataPath)) else {
                throw StoreOpenError.missing(path: engine.name(of: DataDirectory(found: dataPath)))
            }
            let directory = try DataDirectory(path: dataPath)
            switch destination {
            case .standardOutput:
                return try write(FileSink(descriptor: STDOUT_FILENO, path: "standard output"), of: directory, work)
            case .file(let path):
                let file = try AtomicFile(path)
                let summary = try StoreCopy.reading(directory, schema: schema, engine: engine) { store in
                    // The name says how the file is to be read.
                    guard path.hasSuffix(".gz") else { return try write(file.sink, of: store, named: path, work) }
                    let compressed = try GzipWriter(to: file.sink, level: Self.compressionLevel)
                    let summary = try write(compressed, of: store, named: path, work)
                    try compressed.finish()
                    return summary
                }
                try file.publish()
                return summary
            }
        }
    }

    private func write(
        _ sink: FileSink, of directory: DataDirectory,
        _ work: (StoreCopy, any ByteSink) throws -> Written
    ) throws -> ExportSummary {
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        defer { withExtendedLifetime(working) {} }
        let copy = try StoreCopy(
            of: directory, schema: schema, in: working, engine: engine,
            otherWay: "Or give a file with --output: for one no copy is needed."
        )
        defer { copy.connection.close() }
        return try write(sink, of: copy, named: nil, work)
    }

    private func write(
        _ sink: any ByteSink, of store: StoreCopy, named path: String?,
        _ work: (StoreCopy, any ByteSink) throws -> Written
    ) throws -> ExportSummary {
        guard case .integer(let last) = try MetaTable.value(.commit, in: store.connection) else {
            throw StoreOpenError.notAStore(path: store.connection.path)
        }
        let written = try work(store, sink)
        // The entries of a long change are not complete yet, so the next export begins before it.
        let incomplete = written.isOfHistory ? try LongChange.read(from: store.connection)?.commit : nil
        return ExportSummary(
            model: written.name, records: written.count, commit: incomplete.map { min(last, $0 - 1) } ?? last,
            path: path, deleted: written.deleted)
    }
}

/// An export from one snapshot of the store into a temporary file.
///
/// A client that downloads the file slowly does not block the store's checkpoints.
package struct SQLListExport: ListExport {
    private let folder: String
    private let readers: ReaderPool

    package init(data path: String, readers: ReaderPool) {
        folder = SnapshotFolder(path).path
        self.readers = readers
    }

    package func file(of model: ModelSchema, _ query: ExportQuery, as format: ExportFormat) async throws
        -> TemporaryFile
    {
        do {
            return try await write(model, query, as: format)
        } catch let error as FileError {
            throw ListExportError.unwritable(error.description)
        } catch let error as EngineError where error.kind == .outOfSpace {
            throw ListExportError.unwritable(error.reason)
        }
    }

    private func write(_ model: ModelSchema, _ query: ExportQuery, as format: ExportFormat) async throws
        -> TemporaryFile
    {
        let (folder, readers) = (folder, readers)
        return try await readers.readLong { connection in
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileError.unwritable(folder) }
            let working = try WorkingDirectory(in: folder)
            let path = working.path + "/export"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileError.unwritable(path) }
            defer { close(descriptor) }
            let export = RecordExport(
                model: model, query: query, format: format, tables: readers.tables, aids: readers.aids,
                sink: FileSink(descriptor: descriptor, path: folder)
            )
            let records = try connection.snapshot { try export.write(from: connection) }
            return TemporaryFile(path: path, records: records, holder: working)
        }
    }
}
