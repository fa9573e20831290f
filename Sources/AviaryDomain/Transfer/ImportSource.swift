import Foundation

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

    /// The beginning of a file of rejected lines; empty when the format has none.
    var rejectionHeader: [UInt8] { get }

    /// Returns the record of the last call of ``next()`` as a file of rejected lines contains it.
    ///
    /// A record that could not be read is as it is in the file, so that a person can correct it.
    ///
    /// - Parameter reason: The problems of the record.
    func rejection(because reason: String) -> [UInt8]
}

/// A CSV file, whose first line names the columns.
package struct CSVSource: ImportSource {
    private let open: @Sendable () throws -> any ByteSource
    private let recordLimit: Int
    private let separator: UInt8?

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - recordLimit: The greatest size of a record, in bytes.
    ///   - separator: The character between fields, in ASCII; nil for the one that the header uses: a comma, a
    ///     semicolon or a tab.
    ///   - open: A closure that returns a byte source at the beginning of the file.
    package init(
        recordLimit: Int = CSVReader.recordLimit, separator: UInt8? = nil,
        _ open: @escaping @Sendable () throws -> any ByteSource
    ) {
        self.open = open
        self.recordLimit = recordLimit
        self.separator = separator
    }

    package init(_ bytes: [UInt8], separator: UInt8? = nil) {
        open = { BytesInMemory(bytes) }
        recordLimit = CSVReader.recordLimit
        self.separator = separator
    }

    package func columns() throws -> [String] { try reader().header }

    package func records() throws -> any ImportReader { try reader() }

    private func reader() throws -> Reader {
        let first = try reader(separator ?? CSVReader.comma)
        guard separator == nil, first.header.count == 1, let only = first.header.first else { return first }
        // Spreadsheets write semicolons or tabs where the comma is the decimal separator.
        let other = [UInt8(ascii: ";"), UInt8(ascii: "\t")].first { only.utf8.contains($0) }
        return try other.map(reader) ?? first
    }

    private func reader(_ separator: UInt8) throws -> Reader {
        let source = try open()
        return try Reader(source, CSVReader(source, recordLimit: recordLimit, separator: separator), separator)
    }

    private struct Reader: ImportReader {
        let header: [String]
        private let source: any ByteSource
        private let separator: UInt8
        private var csv: CSVReader
        /// The fields of the last record; nil when it was not well-formed.
        private var last: [String]?

        init(_ source: any ByteSource, _ csv: CSVReader, _ separator: UInt8) throws {
            self.source = source
            self.separator = separator
            var csv = csv
            switch csv.nextResult() {
            case .success(let record):
                // A blank after a separator is no part of a name.
                header = record.fields.map { $0.trimmingCharacters(in: .whitespaces) }
            case .failure(let error):
                throw ImportError.lines([LineError(line: error.line, message: error.message)], more: 0)
            case nil: throw source.failure ?? ImportError.emptyFile
            }
            self.csv = csv
        }

        mutating func next() throws -> Result<ImportRecord, LineError>? {
            last = nil
            switch csv.nextResult() {
            case .success(let record):
                last = record.fields
                return .success(ImportRecord(line: record.line, cells: record.fields.map { .cell($0) }))
            case .failure(let error): return .failure(LineError(line: error.line, message: error.message))
            case nil:
                if let failure = source.failure { throw failure }
                return nil
            }
        }

        /// The column of the problems in a file of rejected lines that is imported again.
        private var reasonIndex: Int? { header.firstIndex(of: RejectedRecords.column) }

        var rejectionHeader: [UInt8] {
            line(reasonIndex == nil ? [RejectedRecords.column] + header : header)
        }

        func rejection(because reason: String) -> [UInt8] {
            // The problem is in front, so that a record with too few or too many fields keeps those it has.
            guard var fields = last else {
                let raw = Array(csv.lastRecord) + Array("\r\n".utf8)
                return reasonIndex == nil ? field(reason) + [separator] + raw : raw
            }
            if let index = reasonIndex, fields.indices.contains(index) {
                fields[index] = reason
                return line(fields)
            }
            return line([reason] + fields)
        }

        private func line(_ fields: [String]) -> [UInt8] {
            Array(fields.map(field).joined(separator: [separator])) + Array("\r\n".utf8)
        }

        private func field(_ text: String) -> [UInt8] {
            let quote = UInt8(ascii: "\"")
            guard text.utf8.contains(where: { $0 == quote || $0 == separator || $0 == 10 || $0 == 13 }) else {
                return Array(text.utf8)
            }
            var bytes = [quote]
            for byte in text.utf8 {
                if byte == quote { bytes.append(quote) }
                bytes.append(byte)
            }
            return bytes + [quote]
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

/// The lines that an import leaves out, with their problems.
package struct RejectedRecords: Sendable {
    /// The name of the column with the problems in a file of rejected lines. An import ignores this column, so that a
    /// corrected file can be imported as it is.
    package static let column = "import problem"

    /// The problems of each line, by its number.
    package private(set) var reasons: [Int: String] = [:]
    /// The problems by their message and value.
    package private(set) var groups = ProblemGroups()

    package init() {}

    /// The numbers of the lines.
    var lines: Set<Int> { Set(reasons.keys) }

    mutating func add(_ problems: LineProblems) {
        reasons.merge(problems.reasons ?? [:]) { first, _ in first }
        groups.add(problems.groups)
    }

    /// Writes the lines in the format of their file, each with its problem.
    ///
    /// - Parameters:
    ///   - source: The file that has the lines.
    ///   - write: A closure that takes the next bytes.
    /// - Throws: The errors of the file and of `write`.
    package func write(from source: some ImportSource, to write: ([UInt8]) throws -> Void) throws {
        var reader = try source.records()
        try write(reader.rejectionHeader)
        while let result = try reader.next() {
            let line =
                switch result {
                case .success(let record): record.line
                case .failure(let problem): problem.line
                }
            if let reason = reasons[line] { try write(reader.rejection(because: reason)) }
        }
    }
}

extension ImportCell {
    /// Indicates whether the cell is JSON that is neither a text nor a number.
    var isStructure: Bool {
        guard case .json(let json) = self, let first = json.utf8.first else { return false }
        return "{[tf".utf8.contains(first)
    }

    /// The titles in the cell of a to-many property; nil when the cell is not a text, a number or a list of texts.
    var titles: [String]? {
        if isStructure { return try? JSONDecoder().decode([String].self, from: Data(shown.utf8)) }  // nil says enough
        return shown.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
