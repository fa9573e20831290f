package import AviaryDomain
import Foundation

/// Exports from the store as it is: at one moment of it, into a file beside it, so that whoever takes what was written
/// at a slow pace holds nothing back.
package struct SQLListExport: ListExport {
    private let folder: String
    private let readers: ReaderPool

    package init(data path: String, readers: ReaderPool) {
        folder = SnapshotFolder(path).path
        self.readers = readers
    }

    package func file(of model: ModelSchema, _ query: ExportQuery, as format: ExportFormat) async throws -> HeldFile {
        do {
            return try await write(model, query, as: format)
        } catch let error as FileError {
            throw ListExportError.unwritable(error.description)
        } catch let error as EngineError where error.kind == .outOfSpace {
            throw ListExportError.unwritable(error.reason)
        }
    }

    private func write(_ model: ModelSchema, _ query: ExportQuery, as format: ExportFormat) async throws -> HeldFile {
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
            return HeldFile(path: path, records: records, holder: working)
        }
    }
}
