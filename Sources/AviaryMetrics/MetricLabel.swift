/// One label of a series. Its value is from a closed set: a series lives as long as its process.
package struct MetricLabel: Sendable, Hashable, Comparable, Codable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = MetricName.label(name)
        self.value = value
    }

    package static func < (left: MetricLabel, right: MetricLabel) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }

    /// Sorted, each name once: the first of two wins.
    static func canonical(_ labels: [MetricLabel]) -> [MetricLabel] {
        var names: Set<String> = []
        return labels.filter { names.insert($0.name).inserted }.sorted()
    }

    static func canonical(_ dimensions: [(String, String)]) -> [MetricLabel] {
        canonical(dimensions.map { MetricLabel($0.0, $0.1) })
    }
}
