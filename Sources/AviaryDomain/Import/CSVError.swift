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
