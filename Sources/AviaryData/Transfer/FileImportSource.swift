package import AviaryDomain
import Foundation

/// A file of records: JSON Lines where its first character opens an object, else CSV; a JSON array is recognized to be
/// refused.
package struct FileImportSource: ImportSource {
    private let source: any ImportSource
    package let format: ExportFormat

    /// - Throws: ``FileError``.
    package init(_ path: String, limits: ImportLimits) throws {
        // Absolute: whoever reads it later may have another working directory.
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

/// A source for a file that is one JSON value. It is not a file of records and would be read as strange CSV.
private struct JSONArraySource: ImportSource {
    func columns() throws -> [String] { throw ImportError.jsonArray }
    func records() throws -> any ImportReader { throw ImportError.jsonArray }
}

/// A file's bytes, a part at a time.
final class FileBytes: ByteSource {
    private static let partSize = 1 << 16

    private let path: String
    private let descriptor: Int32
    private(set) var failure: (any Error)?

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
