/// What is wrong on one line of a file. Never quotes the line.
package struct LineProblem: Sendable, Hashable, CustomStringConvertible {
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

    mutating func add(_ message: String, on line: Int) {
        count += 1
        if first.count < Self.limit { first.append(LineProblem(line: line, message: message)) }
    }

    func throwIfAny() throws(CSVImportError) {
        if count > 0 { throw .lines(first, more: count - first.count) }
    }
}
