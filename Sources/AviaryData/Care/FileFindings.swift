import AviaryDomain

/// What a check of a file has found.
struct FileFindings: Sendable {
    /// Some of what is wrong, as the engine says it.
    var lines: [String] = []
    /// Those that are not whole, or whose indexes are not.
    var tables: [String] = []

    mutating func add(_ lines: [String], of table: String) {
        guard !lines.isEmpty else { return }
        self.lines += lines
        tables.append(table)
    }
}
