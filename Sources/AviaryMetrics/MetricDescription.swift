/// A metric as its reader finds it explained.
package struct MetricDescription: Sendable, Hashable {
    package let name: String
    package let kind: MetricKind
    package let help: String
    /// Upper bounds of a histogram's buckets, rising, without the last, which is without end.
    package let bounds: [Double]

    package init(_ name: String, _ kind: MetricKind, _ help: String, bounds: [Double] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.bounds = bounds
    }

    /// Bounds of a histogram that nobody described: 1 ms to 10 s, if it counts seconds.
    package static let standardBounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
}
