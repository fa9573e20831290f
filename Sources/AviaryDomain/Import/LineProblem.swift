/// What is wrong on one line of a file. Never quotes the line.
package struct LineProblem: Error, Sendable, Hashable, CustomStringConvertible {
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
    private var lines: Set<Int> = []

    mutating func add(_ message: String, on line: Int) {
        count += 1
        lines.insert(line)
        if first.count < Self.limit { first.append(LineProblem(line: line, message: message)) }
    }

    func has(_ line: Int) -> Bool { lines.contains(line) }

    /// What is only found at the end stands where its line does.
    var sorted: [LineProblem] {
        first.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }

    func throwIfAny() throws(ImportError) {
        if count > 0 { throw .lines(sorted, more: count - first.count) }
    }
}
