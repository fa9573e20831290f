/// Violations: all counted, the first few kept to be named.
package struct ViolationList: Sendable, Codable {
    package private(set) var counts: [Violation.Kind: Int] = [:]
    package private(set) var first: [Violation] = []
    private static let mostNamed = 20

    package var count: Int { counts.values.reduce(0, +) }
    package var isEmpty: Bool { counts.isEmpty }

    /// How many of each kind: `2 lost, 1 foreign`.
    var summary: String {
        Violation.Kind.allCases.compactMap { kind in counts[kind].map { "\(Figure.grouped($0)) \(kind.rawValue)" } }
            .joined(separator: ", ")
    }

    mutating func add(_ kind: Violation.Kind, record: String? = nil, _ text: @autoclosure () -> String) {
        counts[kind, default: 0] += 1
        if first.count < Self.mostNamed { first.append(Violation(kind: kind, record: record, text: text())) }
    }

    mutating func add(contentsOf other: ViolationList) {
        counts.merge(other.counts, uniquingKeysWith: +)
        first += other.first.prefix(max(0, Self.mostNamed - first.count))
    }
}
