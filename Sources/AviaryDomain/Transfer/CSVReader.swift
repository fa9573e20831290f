/// Reads CSV as RFC 4180 describes it, record by record.
///
/// ```swift
/// var reader = CSVReader(bytes)
/// while let record = try reader.next() { … }
/// ```
///
/// Line breaks may be CRLF, LF or CR, a byte order mark and empty lines are skipped, and the last line may end without
/// a break. Every record has as many fields as the first. Written here because the CSV package that there is for Swift
/// knows no line numbers and accepts ragged records: an import must say where a file is wrong, not guess.
package struct CSVReader {
    /// Of one record, in bytes, unless its reader takes less: more than any record can have.
    package static let recordLimit = 32 << 20
    /// Of a record: more than any model has properties.
    package static let fieldLimit = 1000
    /// Of a field in the first record, in bytes.
    package static let nameLimit = 1000
    /// What was read is dropped when it is so much, in bytes.
    private static let dropSize = 1 << 16

    private var bytes: [UInt8]
    private let source: (any ByteSource)?
    private let recordLimit: Int
    private var position = 0
    private var line = 1
    private var fieldCount: Int?
    private var isAtEnd = false

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        source = nil
        recordLimit = Self.recordLimit
        skipByteOrderMark()
    }

    /// Reads as much as a record needs, and keeps no more.
    package init(_ source: any ByteSource, recordLimit: Int = recordLimit) {
        bytes = source.next()
        self.recordLimit = recordLimit
        self.source = source
        // A part may be as short as it likes.
        while bytes.count < 3, refill() {}
        skipByteOrderMark()
    }

    private mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next record, or nil at the end. After an error it goes on behind the record that was wrong.
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

    /// Reads nothing more: nobody knows where the next record begins, or it is no file of records.
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

    /// What stands between the quotes, with doubled quotes made single.
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

    /// False at the end, and where a record is longer than any can be.
    private mutating func refill() -> Bool {
        guard let source, !isAtEnd, bytes.count <= recordLimit + Self.dropSize else { return false }
        let more = source.next()
        isAtEnd = more.isEmpty
        bytes += more
        return !isAtEnd
    }

    private mutating func skipToEndOfField() {
        while let byte = current, !endsField(byte) { position += 1 }
    }

    private mutating func skipSeparator() -> Bool {
        guard current == comma else { return false }
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
private let comma = UInt8(ascii: ",")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

private func isLineBreak(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
private func endsField(_ byte: UInt8) -> Bool { byte == comma || isLineBreak(byte) }

/// One record of a CSV file.
package struct CSVRecord: Sendable, Hashable {
    /// The line of the file on which the record begins, from 1.
    package let line: Int
    package let fields: [String]

    package init(line: Int, fields: [String]) {
        self.line = line
        self.fields = fields
    }
}

/// A record that is not well-formed CSV. Never quotes the file.
package enum CSVError: Error, Sendable, Hashable {
    case invalidUTF8(line: Int)
    /// A quoted field that begins on this line and never ends.
    case unterminatedQuote(line: Int)
    case textAfterQuote(line: Int)
    case quoteInUnquotedField(line: Int)
    /// A record that is longer than any can be; nothing behind it is read.
    case tooLong(line: Int)
    /// A record of more fields than any file has columns; nothing behind it is read.
    case tooManyFields(line: Int, limit: Int)
    /// A column's name that is none, so long is it.
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
        case .invalidUTF8: localized("This is not UTF-8 text. Save the file with the encoding UTF-8.")
        case .unterminatedQuote: localized("A quoted field begins here and never ends. Add the closing quote.")
        case .textAfterQuote: localized("There is text after a closing quote. Write a quote inside a field twice.")
        case .quoteInUnquotedField:
            localized("There is a quote inside a field that does not begin with one. Quote the field.")
        case .tooLong: localized("This record is longer than any can be. Look for a quote that is not closed.")
        case .tooManyFields(_, let limit):
            localized("This line has more than \(limit) fields. Nothing behind it is read.")
        case .longName(_, let limit):
            localized("The first line names the columns, and one of these names has more than \(limit) bytes.")
        case .ragged(_, let expected, let found):
            localized(
                found, one: "This record has 1 field where the header has \(expected). Quote fields that hold commas.",
                other:
                    "This record has \(found) fields where the header has \(expected). Quote fields that hold commas."
            )
        }
    }
}

extension CSVError: CustomStringConvertible {
    package var description: String { "line \(line): \(message)" }
}

/// Bytes that come one part after the other, such as a file's.
package protocol ByteSource: AnyObject {
    /// The next bytes; none at the end, and where nothing more can be read.
    func next() -> [UInt8]
    /// The error that ended the reading; nil at the end of the source.
    var failure: (any Error)? { get }
}
