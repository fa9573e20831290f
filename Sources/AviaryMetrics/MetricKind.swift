/// What a metric's numbers mean.
package enum MetricKind: String, Sendable, Hashable, Codable {
    /// Only grows, until its process ends.
    case counter
    /// What is so now.
    case gauge
    /// How many observations there were up to each bound.
    case histogram
}
