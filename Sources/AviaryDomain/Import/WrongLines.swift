/// The wrong lines of a file, in few words whatever their number.
package struct WrongLines: Sendable, Hashable, Codable {
    /// More would be a text that nobody reads.
    private static let mostRanges = 10

    package private(set) var count = 0
    /// The first of them.
    package private(set) var ranges: [ClosedRange<Int>] = []
    package private(set) var last = 0

    /// - Parameter lines: In their order, each of them once.
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

    /// `3–5, 9, 12 … 98000`.
    package var words: String {
        let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        let isWhole = ranges.last.map { $0.upperBound == last } ?? true
        return texts.joined(separator: ", ") + (isWhole ? "" : " … \(last)")
    }
}
