/// A file of records that can be read several times.
package protocol ImportSource: Sendable {
    /// Returns the names of the columns, in the order of the records' cells.
    ///
    /// - Throws: ``ImportError`` when the file names no columns; the error of reading the file.
    func columns() throws -> [String]

    /// Returns a reader that begins at the first record.
    func records() throws -> any ImportReader

    /// Indicates whether the file contains links with both models of a relation.
    ///
    /// The import then takes them from the model that declares the relation, so that the other model can be imported
    /// first.
    var hasLinksOnBothSides: Bool { get }
}

extension ImportSource {
    package var hasLinksOnBothSides: Bool { false }
}

package protocol ImportReader {
    /// Returns the next record or its problem, so that the caller can continue and find all problems; nil at the
    /// end.
    mutating func next() throws -> Result<ImportRecord, LineError>?
}

/// A CSV file, whose first line names the columns.
package struct CSVSource: ImportSource {
    private let open: @Sendable () throws -> any ByteSource
    private let recordLimit: Int

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - recordLimit: The greatest size of a record, in bytes.
    ///   - open: A closure that returns a byte source at the beginning of the file.
    package init(recordLimit: Int = CSVReader.recordLimit, _ open: @escaping @Sendable () throws -> any ByteSource) {
        self.open = open
        self.recordLimit = recordLimit
    }

    package init(_ bytes: [UInt8]) {
        open = { BytesInMemory(bytes) }
        recordLimit = CSVReader.recordLimit
    }

    package func columns() throws -> [String] {
        var reader = Reader(try open(), recordLimit)
        return try reader.header()
    }

    package func records() throws -> any ImportReader {
        var reader = Reader(try open(), recordLimit)
        _ = try reader.header()
        return reader
    }

    private struct Reader: ImportReader {
        private let source: any ByteSource
        private var csv: CSVReader

        init(_ source: any ByteSource, _ recordLimit: Int) {
            self.source = source
            csv = CSVReader(source, recordLimit: recordLimit)
        }

        mutating func header() throws -> [String] {
            switch csv.nextResult() {
            case .success(let header):
                // A file with another separator has only one column, whose name would be reported as unknown.
                if let only = header.fields.first, header.fields.count == 1 {
                    if only.contains(";") { throw ImportError.semicolons }
                    if only.contains("\t") { throw ImportError.tabs }
                }
                return header.fields
            case .failure(let error):
                throw ImportError.lines([LineError(line: error.line, message: error.message)], more: 0)
            case nil: throw source.failure ?? ImportError.emptyFile
            }
        }

        mutating func next() throws -> Result<ImportRecord, LineError>? {
            switch csv.nextResult() {
            case .success(let record):
                return .success(ImportRecord(line: record.line, cells: record.fields.map { .cell($0) }))
            case .failure(let error): return .failure(LineError(line: error.line, message: error.message))
            case nil:
                if let failure = source.failure { throw failure }
                return nil
            }
        }
    }
}

private final class BytesInMemory: ByteSource {
    private var bytes: [UInt8]
    let failure: (any Error)? = nil

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func next() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

extension CSVReader {
    /// Returns the next record or its error.
    fileprivate mutating func nextResult() -> Result<CSVRecord, CSVError>? {
        do throws(CSVError) {
            return try next().map { .success($0) }
        } catch {
            return .failure(error)
        }
    }
}

/// The content of a file for one property of a record.
package enum ImportCell: Sendable, Hashable {
    /// The absence of information: a new record gets the default, and an existing one keeps its value.
    case missing
    /// The absence of a value.
    case none
    /// The text of a CSV cell. An empty text represents no value, and an apostrophe may precede the text.
    case cell(String)
    /// A text that is the value itself.
    case text(String)
    /// A number, a Boolean value, a list or an object in JSON.
    case json(String)

    /// The text of the cell, for looking it up and showing it.
    package var shown: String {
        switch self {
        case .missing, .none: ""
        case .cell(let text), .text(let text), .json(let text): text
        }
    }
}

/// A record of a file, with a cell for each of the file's columns.
package struct ImportRecord: Sendable, Hashable {
    /// The line on which the record begins, from 1.
    package let line: Int
    package let cells: [ImportCell]

    package init(line: Int, cells: [ImportCell]) {
        self.line = line
        self.cells = cells
    }
}
