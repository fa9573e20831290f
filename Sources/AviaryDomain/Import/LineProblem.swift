/// A problem on one line of a file. It never quotes the line.
package struct LineProblem: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    package let line: Int
    package let message: String

    package init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    package var description: String { "line \(line): \(message)" }
}

/// Collects problems: the first hundred, and how many there are.
struct LineProblems {
    static let limit = 100

    private(set) var first: [LineProblem] = []
    private(set) var count = 0
    private var lines = LineSet()

    mutating func add(_ message: String, on line: Int) {
        count += 1
        lines.insert(line)
        if first.count < Self.limit { first.append(LineProblem(line: line, message: message)) }
    }

    var lineCount: Int { lines.count }

    func has(_ line: Int) -> Bool { lines.contains(line) }

    /// The problems sorted by line, because some are only found at the end.
    var sorted: [LineProblem] {
        first.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }

    func throwIfAny() throws(ImportError) {
        guard count > 0 else { return }
        let more = count - first.count
        throw .lines(sorted, more: more, wrong: more > 0 ? WrongLines(lines) : nil)
    }
}

/// Lines of a file, a bit for each: all may be wrong.
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
