/// What a series says at one moment.
package enum MetricValue: Sendable, Hashable, Codable {
    case number(Double)
    case histogram(HistogramValue)

    /// Nil when the two cannot be summed.
    func adding(_ other: MetricValue) -> MetricValue? {
        switch (self, other) {
        case (.number(let left), .number(let right)): .number(left + right)
        case (.histogram(let left), .histogram(let right)): left.adding(right).map(MetricValue.histogram)
        default: nil
        }
    }

    /// Nil when the two cannot be compared.
    func raised(to other: MetricValue) -> MetricValue? {
        switch (self, other) {
        case (.number(let left), .number(let right)): .number(max(left, right))
        case (.histogram(let left), .histogram(let right)): left.raised(to: right).map(MetricValue.histogram)
        default: nil
        }
    }
}
