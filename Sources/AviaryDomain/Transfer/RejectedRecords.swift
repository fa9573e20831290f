/// The lines that an import leaves out, with their problems.
package struct RejectedRecords: Sendable {
    /// The name of the column with the problems in a file of rejected lines. An import ignores this column, so that a
    /// mended file can be imported as it is.
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
