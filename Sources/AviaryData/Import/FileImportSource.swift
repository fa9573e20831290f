package import AviaryDomain
import Foundation

/// A file of records: JSON Lines where its first character opens an object, else CSV.
package struct FileImportSource: ImportSource {
    private let source: any ImportSource
    package let format: ExportFormat

    /// - Throws: ``FileError``.
    package init(_ path: String) throws {
        // Absolute: whoever reads it later may have another working directory.
        let path = URL(fileURLWithPath: path).path
        let beginning = try FileBytes(path).next()
        let first = beginning.drop { $0 == 9 || $0 == 10 || $0 == 13 || $0 == 32 || [0xEF, 0xBB, 0xBF].contains($0) }.first
        format = first == UInt8(ascii: "{") ? .jsonl : .csv
        source = format == .jsonl ? JSONLinesSource { try FileBytes(path) } : CSVSource { try FileBytes(path) }
    }

    package var hasLinksOnBothSides: Bool { source.hasLinksOnBothSides }
    package func columns() throws -> [String] { try source.columns() }
    package func records() throws -> any ImportReader { try source.records() }
}
