/// A file of records, which can be read as often as one likes.
package protocol ImportSource: Sendable {
    /// Returns the names of the columns, in the order of the records' cells.
    ///
    /// - Throws: ``ImportError`` when the file names no columns; the error of reading the file.
    func columns() throws -> [String]

    /// Returns a reader that begins at the first record.
    func records() throws -> any ImportReader

    /// A Boolean value that indicates whether links are listed with both models that they join.
    ///
    /// The import then takes them from the model that declares the relation, so that the other model can be imported
    /// first.
    var hasLinksOnBothSides: Bool { get }
}

extension ImportSource {
    package var hasLinksOnBothSides: Bool { false }
}

package protocol ImportReader {
    /// The next record or what is wrong with it, so that one can go on and find everything that is wrong; nil at the
    /// end.
    mutating func next() throws -> Result<ImportRecord, LineProblem>?
}

/// A CSV file, whose first line names the columns.
package struct CSVSource: ImportSource {
    private let open: @Sendable () throws -> any ByteSource
    private let recordLimit: Int

    /// - Parameters:
    ///   - recordLimit: The greatest size of a record, in bytes.
    ///   - open: Begins at the file's first byte.
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
                // All in one column would be told as one that nobody knows.
                if let only = header.fields.first, header.fields.count == 1 {
                    if only.contains(";") { throw ImportError.semicolons }
                    if only.contains("\t") { throw ImportError.tabs }
                }
                return header.fields
            case .failure(let error):
                throw ImportError.lines([LineProblem(line: error.line, message: error.message)], more: 0)
            case nil: throw source.failure ?? ImportError.emptyFile
            }
        }

        mutating func next() throws -> Result<ImportRecord, LineProblem>? {
            switch csv.nextResult() {
            case .success(let record):
                return .success(ImportRecord(line: record.line, cells: record.fields.map { .cell($0) }))
            case .failure(let error): return .failure(LineProblem(line: error.line, message: error.message))
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
    /// The next record or what is wrong with it.
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
    /// No information: a new record gets the default, and an existing one keeps its value.
    case missing
    /// No value.
    case none
    /// The text of a CSV cell. An empty one is no value, and an apostrophe may precede the text.
    case cell(String)
    /// A value's own text.
    case text(String)
    /// A number, a truth value, a list or an object of JSON.
    case json(String)

    /// The text of the cell, for looking it up and showing it.
    package var shown: String {
        switch self {
        case .missing, .none: ""
        case .cell(let text), .text(let text), .json(let text): text
        }
    }
}

/// One record of a file, with a cell for each of the file's columns.
package struct ImportRecord: Sendable, Hashable {
    /// The line on which the record begins, from 1.
    package let line: Int
    package let cells: [ImportCell]

    package init(line: Int, cells: [ImportCell]) {
        self.line = line
        self.cells = cells
    }
}
