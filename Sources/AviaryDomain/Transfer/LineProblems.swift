/// A problem on one line of a file. Its description never quotes the line.
///
/// Two problems are equal when they have the same line and message. The value only explains them.
package struct LineError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    package let line: Int
    package let message: String
    /// The text of the cell that has the problem; nil when the problem concerns the whole line, or when the property
    /// is secret. It is not encoded: a job keeps only a few values, in its ``ProblemSummary``.
    package private(set) var value: String?

    private enum CodingKeys: String, CodingKey {
        case line, message
    }

    package init(line: Int, message: String, value: String? = nil) {
        self.line = line
        self.message = message
        self.value = value
    }

    package var description: String { "line \(line): \(message)" }

    package static func == (one: LineError, other: LineError) -> Bool {
        one.line == other.line && one.message == other.message
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(message)
    }
}

/// A collection of problems, which keeps the first hundred and counts all.
struct LineProblems {
    static let limit = 100

    private(set) var first: [LineError] = []
    private(set) var count = 0
    private(set) var groups = ProblemGroups()
    /// The reasons for which an import leaves lines out; nil when one wrong line prevents the import.
    private(set) var reasons: [Int: String]?
    private var lines = LineSet()

    /// Creates an empty collection.
    ///
    /// - Parameter keepsReasons: A Boolean value that indicates whether to keep the reason of every wrong line.
    init(keepsReasons: Bool = false) {
        if keepsReasons { reasons = [:] }
    }

    /// Adds a problem.
    ///
    /// - Parameters:
    ///   - message: The problem, which begins with the name of the column.
    ///   - value: The text of the cell; nil for a secret and for a problem of the whole line.
    ///   - group: The problem without the numbers of other lines, so that equal problems are counted together; nil
    ///     for `message`.
    mutating func add(_ message: String, on line: Int, value: String? = nil, group: String? = nil) {
        count += 1
        lines.insert(line)
        groups.add(group ?? message, value: value, on: line)
        let reason = reasons?[line].map { $0 + " " + message } ?? message
        reasons?[line] = reason
        if first.count < Self.limit { first.append(LineError(line: line, message: message, value: value)) }
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
        throw .lines(sorted, more: more, wrong: more > 0 ? RejectedLines(lines, groups: groups) : nil)
    }
}

/// The problems of a file that have the same message, such as all values of a column that are not numbers.
package struct ProblemGroup: Sendable, Hashable, Codable {
    /// A value of the file and the number of times that it has the problem.
    package struct Value: Sendable, Hashable, Codable {
        package let text: String
        package let count: Int
    }

    package let message: String
    package let count: Int
    package let firstLine: Int
    package let lastLine: Int
    /// The most frequent values, at most five; empty for a secret and for problems of whole lines.
    package let values: [Value]
    /// Indicates whether there are further values.
    package let hasMoreValues: Bool
}

/// The problems of a file by their message and value, in bounded memory.
package struct ProblemGroups: Sendable, Hashable {
    /// The largest number of groups. Further messages are only counted.
    static let mostGroups = 50
    /// The largest number of different values that a group counts.
    static let mostValues = 1000
    /// The number of values that a group shows.
    static let shownValues = 5

    private struct Entry: Sendable, Hashable {
        var count = 0
        var firstLine: Int
        var lastLine: Int
        var values: [String: Int] = [:]
        var hasUncounted = false
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    /// The number of problems that belong to no group.
    package private(set) var ungrouped = 0

    package init() {}

    /// Groups problems.
    package init(_ problems: [LineError]) {
        for problem in problems { add(problem.message, value: problem.value, on: problem.line) }
    }

    mutating func add(_ message: String, value: String?, on line: Int) {
        if entries[message] == nil {
            guard order.count < Self.mostGroups else {
                ungrouped += 1
                return
            }
            order.append(message)
        }
        var entry = entries[message] ?? Entry(firstLine: line, lastLine: line)
        entry.count += 1
        entry.firstLine = min(entry.firstLine, line)
        entry.lastLine = max(entry.lastLine, line)
        if let value {
            if entry.values[value] != nil || entry.values.count < Self.mostValues {
                entry.values[value, default: 0] += 1
            } else {
                entry.hasUncounted = true
            }
        }
        entries[message] = entry
    }

    /// Adds the problems of another pass over the file.
    mutating func add(_ other: ProblemGroups) {
        ungrouped += other.ungrouped
        for message in other.order {
            guard let more = other.entries[message] else { continue }
            if let entry = entries[message] {
                entries[message] = Entry(
                    count: entry.count + more.count, firstLine: min(entry.firstLine, more.firstLine),
                    lastLine: max(entry.lastLine, more.lastLine),
                    values: entry.values.merging(more.values, uniquingKeysWith: +),
                    hasUncounted: entry.hasUncounted || more.hasUncounted)
            } else if order.count < Self.mostGroups {
                order.append(message)
                entries[message] = more
            } else {
                ungrouped += more.count
            }
        }
    }

    /// The groups, the largest first.
    package var all: [ProblemGroup] {
        order.compactMap { message in
            entries[message].map { entry in
                // Values that are equally frequent are in the order of their texts, so that the result is the same
                // each time.
                let values = entry.values.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                return ProblemGroup(
                    message: message, count: entry.count, firstLine: entry.firstLine, lastLine: entry.lastLine,
                    values: values.prefix(Self.shownValues).map { ProblemGroup.Value(text: $0.key, count: $0.value) },
                    hasMoreValues: entry.hasUncounted || values.count > Self.shownValues)
            }
        }.sorted { ($1.count, $0.firstLine) < ($0.count, $1.firstLine) }
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
    /// The problems of the lines; nil when they are listed one by one. They are not encoded, because they contain
    /// values of the file.
    package private(set) var groups: ProblemGroups?

    private enum CodingKeys: String, CodingKey {
        case count, ranges, last
    }

    /// Creates the description.
    ///
    /// - Parameters:
    ///   - lines: The line numbers, in ascending order and without repetition.
    ///   - groups: The problems of the lines; nil when they are listed one by one.
    package init(_ lines: some Sequence<Int>, groups: ProblemGroups? = nil) {
        self.groups = groups
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

/// The problems of a file as people read them: equal ones together, with their number and most frequent values.
package struct ProblemSummary: Sendable, Hashable, Codable {
    /// The groups, the largest first.
    package let groups: [ProblemGroup]
    /// The number of problems that belong to no group.
    package let more: Int

    /// Creates the summary of problems.
    ///
    /// - Parameter more: The number of problems beside those that are grouped.
    package init(_ problems: ProblemGroups, more: Int = 0) {
        groups = problems.all
        self.more = problems.ungrouped + more
    }

    package var isEmpty: Bool { groups.isEmpty && more == 0 }

    /// Returns a sentence for each group, and one for the problems that are left out.
    ///
    /// - Parameter limit: The largest number of groups.
    package func lines(atMost limit: Int = .max) -> [String] {
        let left = groups.dropFirst(limit).reduce(more) { $0 + $1.count }, lines = groups.prefix(limit).map(\.words)
        guard left > 0 else { return lines }
        let number = TextFormatter.grouped(left)
        return lines + [localized(left, one: "and 1 more problem", other: "and \(number) more problems")]
    }
}

extension ProblemGroup {
    /// The problem in words, such as `12 lines from 3 to 90: legs: Enter a whole number. The lines have “x” (11) and
    /// “four”.`
    package var words: String {
        func quoted(_ text: String) -> String {
            text.isEmpty ? localized("no value") : TextFormatter.quoted(text.printable)
        }
        guard count > 1 else {
            let problem = localized("Line \(String(firstLine)): \(message)")
            guard let value = values.first else { return problem }
            return problem + " " + localized("The line has \(quoted(value.text)).")
        }
        let (first, last, number) = (String(firstLine), String(lastLine), TextFormatter.grouped(count))
        let problem =
            lastLine - firstLine < count
            ? localized("Lines \(first)–\(last): \(message)")
            : localized("\(number) lines from \(first) to \(last): \(message)")
        guard !values.isEmpty else { return problem }
        var texts = values.map { value in
            value.count == 1 ? quoted(value.text) : "\(quoted(value.text)) (\(TextFormatter.grouped(value.count)))"
        }
        if hasMoreValues { texts.append(localized("other values")) }
        return problem + " " + localized("The lines have \(TextFormatter.list(texts)).")
    }
}
