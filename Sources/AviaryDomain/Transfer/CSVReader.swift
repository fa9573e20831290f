/// A reader of CSV (RFC 4180), record by record.
///
/// ```swift
/// var reader = CSVReader(bytes)
/// while let record = try reader.next() { … }
/// ```
///
/// Line breaks may be CRLF, LF or CR. The reader skips a byte order mark and empty lines, and the last line need not
/// end with a line break. Every record has as many fields as the first.
///
/// The existing CSV package for Swift has no line numbers and accepts records with different numbers of fields. An
/// import must say where a file is wrong instead of guessing, so this is an implementation of our own.
package struct CSVReader {
    /// The default size limit of a record, in bytes, which is larger than any record.
    package static let recordLimit = 32 << 20
    /// The largest number of fields of a record, which is larger than the number of any model's properties.
    package static let fieldLimit = 1000
    /// The size limit of a field in the first record, in bytes.
    package static let nameLimit = 1000
    /// The usual character between fields.
    package static let comma = UInt8(ascii: ",")
    /// The number of consumed bytes after which the buffer drops them.
    private static let dropSize = 1 << 16

    private var bytes: [UInt8]
    private let source: (any ByteSource)?
    private let recordLimit: Int
    private let separator: UInt8
    private var position = 0
    /// The position of the last record in the buffer.
    private var lastRange = 0..<0
    private var line = 1
    private var fieldCount: Int?
    private var isAtEnd = false

    package init(_ bytes: [UInt8], separator: UInt8 = comma) {
        self.bytes = bytes
        self.separator = separator
        source = nil
        recordLimit = Self.recordLimit
        skipByteOrderMark()
    }

    /// Creates a reader that holds no more of the source in memory than one record needs.
    ///
    /// - Parameters:
    ///   - source: The source of the bytes.
    ///   - recordLimit: The size limit of a record, in bytes.
    ///   - separator: The character between fields, in ASCII.
    package init(_ source: any ByteSource, recordLimit: Int = recordLimit, separator: UInt8 = comma) {
        bytes = source.next()
        self.separator = separator
        self.recordLimit = recordLimit
        self.source = source
        // A part may be of any size, and the byte order mark has three bytes.
        while bytes.count < 3, refill() {}
        skipByteOrderMark()
    }

    private mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The bytes of the record that ``next()`` returned last, or whose error it threw, without the line break; empty
    /// when reading ended there.
    var lastRecord: ArraySlice<UInt8> {
        bytes[lastRange.clamped(to: bytes.startIndex..<bytes.endIndex)]
    }

    /// Returns the next record, or nil at the end. After an error, the next call continues after the invalid record.
    ///
    /// - Throws: The first ``CSVError`` of the record.
    package mutating func next() throws(CSVError) -> CSVRecord? {
        while let byte = current, isLineBreak(byte) { endLine() }
        guard current != nil else { return nil }
        if source != nil, position > Self.dropSize {
            bytes.removeFirst(position)
            position = 0
        }
        let firstLine = line
        let start = position
        lastRange = start..<start
        var fields: [String] = []
        fields.reserveCapacity(fieldCount ?? 0)
        var problem: CSVError?
        var count = 0
        repeat {
            count += 1
            guard count <= Self.fieldLimit else {
                throw end(.tooManyFields(line: firstLine, limit: Self.fieldLimit))
            }
            do {
                fields.append(try nextField())
            } catch {
                problem = problem ?? error
            }
        } while skipSeparator()
        guard position - start <= recordLimit else {
            throw end(.tooLong(line: firstLine))
        }
        lastRange = start..<position
        endLine()
        if let problem { throw problem }
        if fieldCount == nil, fields.contains(where: { $0.utf8.count > Self.nameLimit }) {
            throw end(.longName(line: firstLine, limit: Self.nameLimit))
        }
        let expected = fieldCount ?? fields.count
        fieldCount = expected
        guard fields.count == expected else {
            throw .ragged(line: firstLine, expected: expected, found: fields.count)
        }
        return CSVRecord(line: firstLine, fields: fields)
    }

    /// Stops reading and returns the error. The beginning of the next record is unknown, or the file does not
    /// contain records.
    private mutating func end(_ error: CSVError) -> CSVError {
        position = bytes.count
        isAtEnd = true
        return error
    }

    private mutating func nextField() throws(CSVError) -> String {
        guard current == quote else {
            let start = position
            skipToEndOfField()
            if bytes[start..<position].contains(quote) { throw .quoteInUnquotedField(line: line) }
            return try text(bytes[start..<position], from: line)
        }
        let firstLine = line
        let content = try quotedContent()
        if let byte = current, !endsField(byte) {
            skipToEndOfField()
            throw .textAfterQuote(line: line)
        }
        return try text(content, from: firstLine)
    }

    /// Returns the content between the quotes, with doubled quotes replaced by single ones.
    private mutating func quotedContent() throws(CSVError) -> ArraySlice<UInt8> {
        let firstLine = line
        position += 1
        var content: ArraySlice<UInt8> = []
        var start = position
        while let byte = current {
            position += 1
            if byte == quote {
                let part = bytes[start..<position - 1]
                guard current == quote else { return content.isEmpty ? part : content + part }
                content += part
                start = position
                position += 1
            } else if byte == lineFeed || (byte == carriageReturn && current != lineFeed) {
                line += 1
            }
        }
        throw .unterminatedQuote(line: firstLine)
    }

    private func text(_ content: ArraySlice<UInt8>, from line: Int) throws(CSVError) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw .invalidUTF8(line: line) }
        return text
    }
}

extension CSVReader {
    private var current: UInt8? {
        mutating get { position < bytes.count || refill() ? bytes[position] : nil }
    }

    /// Reads more bytes; returns false at the end, and when a record exceeds its size limit.
    private mutating func refill() -> Bool {
        guard let source, !isAtEnd, bytes.count <= recordLimit + Self.dropSize else { return false }
        let more = source.next()
        isAtEnd = more.isEmpty
        bytes += more
        return !isAtEnd
    }

    private func endsField(_ byte: UInt8) -> Bool { byte == separator || isLineBreak(byte) }

    private mutating func skipToEndOfField() {
        while let byte = current, !endsField(byte) { position += 1 }
    }

    private mutating func skipSeparator() -> Bool {
        guard current == separator else { return false }
        position += 1
        return true
    }

    private mutating func endLine() {
        guard let byte = current else { return }
        position += 1
        if byte == carriageReturn, current == lineFeed { position += 1 }
        line += 1
    }
}

private let quote = UInt8(ascii: "\"")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

private func isLineBreak(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

/// A record of a CSV file.
package struct CSVRecord: Sendable, Hashable {
    /// The line of the file on which the record begins, from 1.
    package let line: Int
    package let fields: [String]

    package init(line: Int, fields: [String]) {
        self.line = line
        self.fields = fields
    }
}

/// A record that is not well-formed CSV. The error never quotes the file.
package enum CSVError: Error, Sendable, Hashable {
    case invalidUTF8(line: Int)
    /// A quoted field that begins on this line and never ends.
    case unterminatedQuote(line: Int)
    case textAfterQuote(line: Int)
    case quoteInUnquotedField(line: Int)
    /// A record that exceeds the size limit. The reader stops there.
    case tooLong(line: Int)
    /// A record with more fields than the limit. The reader stops there.
    case tooManyFields(line: Int, limit: Int)
    /// A field of the first record that is too long for the name of a column.
    case longName(line: Int, limit: Int)
    /// A record with another number of fields than the first.
    case ragged(line: Int, expected: Int, found: Int)

    package var line: Int {
        switch self {
        case .invalidUTF8(let line), .unterminatedQuote(let line), .textAfterQuote(let line),
            .quoteInUnquotedField(let line), .tooLong(let line), .tooManyFields(let line, _), .longName(let line, _),
            .ragged(let line, _, _):
            line
        }
    }

    package var message: String {
        switch self {
        case .invalidUTF8: localized("The file is not UTF-8 text. Save it with the encoding UTF-8.")
        case .unterminatedQuote: localized("A quoted field starts here and never ends. Add the closing quote.")
        case .textAfterQuote: localized("Text follows a closing quote. Write quotes inside a field twice.")
        case .quoteInUnquotedField:
            localized("A quote appears inside an unquoted field. Quote the field.")
        case .tooLong: localized("This record is too long. Check for an unclosed quote.")
        case .tooManyFields(_, let limit):
            localized("This line has more than \(limit) fields. The lines after it aren’t read.")
        case .longName(_, let limit):
            localized("A column name in the first line is longer than \(limit) bytes. Shorten the name.")
        case .ragged(_, let expected, let found):
            localized(
                found,
                one: "This record has 1 field, but the header has \(expected). Quote fields that contain commas.",
                other:
                    "This record has \(found) fields, but the header has \(expected). Quote fields that contain commas."
            )
        }
    }
}

extension CSVError: CustomStringConvertible {
    package var description: String { "line \(line): \(message)" }
}

/// A source that provides bytes in parts, such as a file.
package protocol ByteSource: AnyObject {
    /// Returns the next bytes; an empty array at the end, or when reading fails.
    func next() -> [UInt8]
    /// The error that ended the reading; nil at the end of the source.
    var failure: (any Error)? { get }
}
