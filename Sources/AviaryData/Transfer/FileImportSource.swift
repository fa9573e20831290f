package import AviaryDomain
import Foundation

/// A source that reads a file of records.
///
/// The format is JSON Lines if the first character opens an object, otherwise CSV. A JSON array is recognized and
/// rejected.
package struct FileImportSource: ImportSource {
    private let source: any ImportSource
    package let format: ExportFormat

    /// Detects the format of a file.
    ///
    /// - Throws: ``FileError``.
    package init(_ path: String, limits: ImportLimits) throws {
        // The path is absolute because a later reader may have another working directory.
        let path = URL(fileURLWithPath: path).path
        let beginning = try FileBytes(path).next()
        let signs = beginning.lazy.filter { ![9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }.prefix(2)
        let first = signs.first, second = signs.dropFirst().first
        let isArray = first == UInt8(ascii: "[") && (second.map(Array("{[\"]".utf8).contains) ?? true)
        format = isArray || first == UInt8(ascii: "{") ? .jsonl : .csv
        source =
            switch format {
            case .jsonl where isArray: JSONArraySource()
            case .jsonl: JSONLinesSource(limits: limits) { try FileBytes(path) }
            case .csv: CSVSource(recordLimit: limits.recordSize) { try FileBytes(path) }
            }
    }

    package var hasLinksOnBothSides: Bool { source.hasLinksOnBothSides }
    package func columns() throws -> [String] { try source.columns() }
    package func records() throws -> any ImportReader { try source.records() }
}

/// A source of a file that is a single JSON array. It is rejected because it would otherwise be read as malformed
/// CSV.
private struct JSONArraySource: ImportSource {
    func columns() throws -> [String] { throw ImportError.jsonArray }
    func records() throws -> any ImportReader { throw ImportError.jsonArray }
}

/// The bytes of a file, one part at a time.
final class FileBytes: ByteSource {
    private static let partSize = 1 << 16

    private let path: String
    private let descriptor: Int32
    private(set) var failure: (any Error)?

    /// Opens a file.
    ///
    /// - Throws: ``FileError``.
    init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path) }
    }

    deinit { close(descriptor) }

    func next() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.partSize) { buffer, count in
            repeat {
                count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            guard count < 0 else { return }
            failure = FileError.unreadable(path)
            count = 0
        }
    }
}

/// The limits of a record in a file.
package struct ImportLimits: Sendable {
    /// The maximum size of a record, in bytes.
    var recordSize: Int
    /// The maximum number of values in one line of JSON.
    var values: Int

    /// The limits of a file from a browser. A record that was saved by a form of 2 MiB is at most three times as
    /// long in a file.
    package static let uploaded = ImportLimits(recordSize: 6 << 20, values: 100_000)
    /// The limits of a file that a command reads, above those of any record.
    package static let own = ImportLimits(recordSize: CSVReader.recordLimit, values: .max)
}
