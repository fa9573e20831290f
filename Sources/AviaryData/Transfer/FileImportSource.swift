package import AviaryDomain
import Foundation

/// A source that reads a file of records.
///
/// The format is JSON Lines if the first character opens an object, otherwise CSV. A JSON array is recognized and
/// rejected. A file that gzip compressed is decompressed, whatever its name, and a byte order mark decides about the
/// encoding.
package struct FileImportSource: ImportSource {
    private let source: any ImportSource
    package let format: ExportFormat

    /// Detects the format of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limits: The limits of its records.
    ///   - encoding: The encoding of a file without a byte order mark.
    ///   - separator: The character between the fields of CSV, in ASCII; nil for the one that the header uses.
    /// - Throws: ``FileError``.
    package init(
        _ path: String, limits: ImportLimits, encoding: TextEncoding = .utf8, separator: UInt8? = nil
    ) throws {
        // The path is absolute because a later reader may have another working directory.
        let path = URL(fileURLWithPath: path).path
        let text = try TextFile(path, encoding: encoding, limit: limits.expandedSize)
        let beginning = try text.open().next()
        let signs = beginning.lazy.filter { ![9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }.prefix(2)
        let first = signs.first, second = signs.dropFirst().first
        let isArray = first == UInt8(ascii: "[") && (second.map(Array("{[\"]".utf8).contains) ?? true)
        format = isArray || first == UInt8(ascii: "{") ? .jsonl : .csv
        source =
            switch format {
            case .jsonl where isArray: JSONArraySource()
            case .jsonl: JSONLinesSource(limits: limits) { try text.open() }
            case .csv: CSVSource(recordLimit: limits.recordSize, separator: separator) { try text.open() }
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

/// A text file that may be compressed and may have another encoding than UTF-8.
private struct TextFile: Sendable {
    let path: String
    let isCompressed: Bool
    let encoding: TextEncoding
    /// The maximum size of the decompressed file, in bytes.
    let limit: Int

    /// Detects the compression and the encoding.
    ///
    /// - Throws: ``FileError``.
    init(_ path: String, encoding: TextEncoding, limit: Int) throws {
        self.path = path
        self.limit = limit
        isCompressed = try FileBytes(path).next().starts(with: [0x1F, 0x8B])
        let bytes: any ByteSource = try isCompressed ? GunzippedBytes(path, limit: limit) : FileBytes(path)
        // A file that cannot be decompressed says so when it is read.
        self.encoding = TextEncoding(markedIn: bytes.next()) ?? encoding
    }

    /// Opens the file at its beginning, as UTF-8.
    ///
    /// - Throws: ``FileError``.
    func open() throws -> any ByteSource {
        let bytes: any ByteSource = try isCompressed ? GunzippedBytes(path, limit: limit) : FileBytes(path)
        return encoding == .utf8 ? bytes : DecodedBytes(bytes, encoding: encoding)
    }
}

/// The decompressed bytes of a file, one part at a time.
private final class GunzippedBytes: ByteSource {
    private static let partSize = 1 << 16

    private let reader: GzipReader
    private let limit: Int
    private var left: Int
    private(set) var failure: (any Error)?

    /// Opens a file.
    ///
    /// - Parameter limit: The maximum size of the decompressed file, in bytes.
    /// - Throws: ``FileError``.
    init(_ path: String, limit: Int) throws(FileError) {
        self.limit = limit
        left = limit
        reader = try GzipReader(path)
    }

    func next() -> [UInt8] {
        guard failure == nil else { return [] }
        let part: [UInt8]
        do {
            part = try [UInt8](unsafeUninitializedCapacity: Self.partSize) { buffer, count in
                count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch let error as FileError {
            failure = error
            return []
        } catch {
            failure = ImportError.damagedArchive
            return []
        }
        left -= part.count
        guard left >= 0 else {
            failure = ImportError.expandedTooLarge(limit: limit)
            return []
        }
        return part
    }
}

/// The bytes of a text of another encoding, as UTF-8.
private final class DecodedBytes: ByteSource {
    private let source: any ByteSource
    private var decoder: TextDecoder
    private var isAtEnd = false
    private var ownFailure: (any Error)?
    var failure: (any Error)? { ownFailure ?? source.failure }

    init(_ source: any ByteSource, encoding: TextEncoding) {
        self.source = source
        decoder = TextDecoder(encoding)
    }

    func next() -> [UInt8] {
        // A part may be less than a character, and only the end is empty.
        while !isAtEnd {
            let part = source.next()
            isAtEnd = part.isEmpty
            guard let text = decoder.decode(part, isLast: isAtEnd) else {
                isAtEnd = true
                ownFailure = ImportError.notUTF16
                return []
            }
            if !text.isEmpty { return text }
        }
        return []
    }
}

/// The limits of a record in a file.
package struct ImportLimits: Sendable {
    /// The maximum size of a record, in bytes.
    var recordSize: Int
    /// The maximum number of values in one line of JSON.
    var values: Int
    /// The maximum size of a compressed file when it is decompressed, in bytes.
    var expandedSize: Int

    /// The limits of a file from a browser. A record that was saved by a form of 2 MiB is at most three times as
    /// long in a file.
    package static let uploaded = ImportLimits(recordSize: 6 << 20, values: 100_000, expandedSize: 64 << 30)
    /// The limits of a file that a command reads, above those of any record.
    package static let own = ImportLimits(
        recordSize: CSVReader.recordLimit, values: .max, expandedSize: .max)
}

extension RejectedRecords {
    /// Writes the lines to a new file, which appears when it is complete.
    ///
    /// - Parameters:
    ///   - source: The file that has the lines.
    ///   - isMarked: A Boolean value that indicates whether the file begins with the byte order mark of UTF-8.
    ///   - path: The path of the new file.
    /// - Throws: ``FileError``; the errors of the source.
    package func write(from source: any ImportSource, isMarked: Bool, toNewFile path: String) throws {
        let file = try AtomicFile(path)
        if isMarked { try file.sink.write([0xEF, 0xBB, 0xBF]) }
        try write(from: source) { try file.sink.write($0) }
        try file.publish()
    }
}
