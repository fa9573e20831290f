/// An error that prevents the import of a file. Nothing of the file was stored.
package enum ImportError: Error, Sendable, Hashable {
    /// A mapping that is not `property=Column`.
    case malformedMapping
    case unknownProperty(String, model: String, known: [String])
    /// A mapping to a to-many relation, which has no value of its own.
    case notStored(property: String, model: String)
    case unknownColumn(String, known: [String])
    /// A mapped column whose name occurs more than once in the header.
    case ambiguousColumn(String)
    case mappedTwice(property: String)
    /// A file without a column that has the name of a property, imported without a mapping.
    case nothingMapped(known: [String], properties: [String])
    /// Required properties for which there is neither a column nor a default.
    case missingProperties([String], model: String)
    /// A property to match existing records by that no column fills.
    case unmatched(property: String)
    /// A property to match existing records by that is not unique.
    case notUnique(property: String, model: String)
    case emptyFile
    /// A file with more records than an import through a page allows.
    case tooManyRecords(limit: Int)
    /// A file that must be stored as one batch and has too many records for one.
    case tooManyTogether(limit: Int)
    /// A file with one JSON array instead of one object per line.
    case jsonArray
    case semicolons
    case tabs
    /// The problems in lines: the first hundred, the number of further ones, and the lines that have problems.
    case lines([LineError], more: Int, wrong: RejectedLines? = nil)
}

extension ImportError {
    /// The lines that have problems; nil when the error concerns the whole file.
    package var wrongLines: RejectedLines? {
        guard case .lines(let problems, _, let wrong) = self else { return nil }
        return wrong ?? RejectedLines(Set(problems.map(\.line)).sorted())
    }
}

extension ImportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformedMapping:
            localized("Write a mapping as a property and a column, such as name=\"Individual ID\".")
        case .unknownProperty(let property, let model, let known):
            localized("\(model) has no property \"\(property)\". Available: \(TextFormatter.list(known)).")
        case .notStored(let property, let model):
            localized(
                "\(property) is a to-many relation and can’t be imported. Import \(model) with a column for its reference."
            )
        case .unknownColumn(let column, let known):
            localized("The file has no column \"\(column)\". Available: \(list(known)).")
        case .ambiguousColumn(let column):
            localized("The file has the column \"\(column)\" more than once. Rename the duplicates.")
        case .mappedTwice(let property):
            localized("Two columns are mapped to \(property). Map only one.")
        case .nothingMapped(let known, let properties):
            localized(
                "No column matches a property (\(TextFormatter.list(properties))). Map some of the columns: \(list(known))."
            )
        case .missingProperties(let properties, let model):
            localized("\(model) needs a value for \(TextFormatter.list(properties)). Map a column to each.")
        case .unmatched(let property):
            localized("No column is mapped to \(property), which identifies the records. Map a column to it.")
        case .notUnique(let property, let model):
            localized(
                "\(property) can’t identify records: several of \(model) can have the same value. Use id or a unique property."
            )
        case .tooManyRecords(let limit):
            localized("The file has more than \(limit) records. Use the import command for larger files.")
        case .tooManyTogether(let limit):
            localized(
                "The file has more than \(limit) records that can refer to each other. Use the import command for larger files."
            )
        case .emptyFile:
            localized("The file is empty. Put the column names in its first line.")
        case .jsonArray:
            localized("The file is a JSON array. Put each object on one line, as `jq -c '.[]'` does.")
        case .semicolons:
            localized("The columns seem to be separated by semicolons. Use commas instead.")
        case .tabs:
            localized("The columns seem to be separated by tabs. Use commas instead.")
        case .lines(let problems, let more, _):
            problems.map(\.description).joined(separator: "\n")
                + (more > 0 ? "\n" + localized("and \(more) more") : "")
        }
    }

    /// The largest number of column names in a message. A file may have a thousand columns.
    private static let mostNames = 20

    private func list(_ columns: [String]) -> String {
        let shown = columns.prefix(Self.mostNames).map { "\"\(TextFormatter.beginning(of: $0, longest: 60))\"" }
        guard columns.count > shown.count else { return TextFormatter.list(shown) }
        return TextFormatter.list(shown + [localized("\(columns.count - shown.count) more")])
    }
}

/// A problem on one line of a file. It never quotes the line.
package struct LineError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    package let line: Int
    package let message: String

    package init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    package var description: String { "line \(line): \(message)" }
}

/// A collection of problems, which keeps the first hundred and counts all.
struct LineProblems {
    static let limit = 100

    private(set) var first: [LineError] = []
    private(set) var count = 0
    private var lines = LineSet()

    mutating func add(_ message: String, on line: Int) {
        count += 1
        lines.insert(line)
        if first.count < Self.limit { first.append(LineError(line: line, message: message)) }
    }

    var lineCount: Int { lines.count }

    func has(_ line: Int) -> Bool { lines.contains(line) }

    /// The problems sorted by line, because some are only found at the end.
    var sorted: [LineError] {
        first.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }

    func throwIfAny() throws(ImportError) {
        guard count > 0 else { return }
        let more = count - first.count
        throw .lines(sorted, more: more, wrong: more > 0 ? RejectedLines(lines) : nil)
    }
}

/// A set of line numbers. It uses one bit per line, because all lines of a file may be wrong.
private struct LineSet: Sequence {
    private var words: [UInt64] = []
    private(set) var count = 0

    mutating func insert(_ line: Int) {
        guard !contains(line) else { return }
        let index = line >> 6
        if index >= words.count { words.append(contentsOf: repeatElement(0, count: index - words.count + 1)) }
        words[index] |= 1 << UInt64(line & 63)
        count += 1
    }

    func contains(_ line: Int) -> Bool {
        let index = line >> 6
        return index < words.count && words[index] & 1 << UInt64(line & 63) != 0
    }

    /// Returns an iterator over the lines in their order.
    func makeIterator() -> some IteratorProtocol<Int> {
        words.lazy.enumerated().flatMap { index, word in
            (0..<64).lazy.filter { word & 1 << UInt64($0) != 0 }.map { index << 6 + $0 }
        }.makeIterator()
    }
}

/// A short description of the wrong lines of a file, for any number of them.
package struct RejectedLines: Sendable, Hashable, Codable {
    /// The largest number of ranges. A longer text would not be readable.
    private static let mostRanges = 10

    package private(set) var count = 0
    /// The first ranges of consecutive wrong lines.
    package private(set) var ranges: [ClosedRange<Int>] = []
    package private(set) var last = 0

    /// Creates the description.
    ///
    /// - Parameter lines: The line numbers, in ascending order and without repetition.
    package init(_ lines: some Sequence<Int>) {
        for line in lines { add(line) }
    }

    private mutating func add(_ line: Int) {
        count += 1
        defer { last = line }
        if let range = ranges.last, range.upperBound == line - 1 {
            ranges[ranges.count - 1] = range.lowerBound...line
        } else if ranges.count < Self.mostRanges {
            ranges.append(line...line)
        }
    }

    /// The lines in words: `3–5, 9, 12 … 98000`.
    package var words: String {
        let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        let isWhole = ranges.last.map { $0.upperBound == last } ?? true
        return texts.joined(separator: ", ") + (isWhole ? "" : " … \(last)")
    }
}
