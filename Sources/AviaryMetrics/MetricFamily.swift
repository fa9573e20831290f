/// All series of one metric at one moment.
package struct MetricFamily: Sendable, Hashable, Codable {
    package struct Series: Sendable, Hashable, Codable {
        package let labels: [MetricLabel]
        package let value: MetricValue
    }

    package let kind: MetricKind
    package let help: String?
    /// Each list of labels once.
    package private(set) var series: [[MetricLabel]: MetricValue]

    package init(kind: MetricKind, help: String? = nil) {
        self.kind = kind
        self.help = help
        series = [:]
    }

    package mutating func set(_ value: MetricValue, _ labels: [MetricLabel] = []) {
        series[MetricLabel.canonical(labels)] = value
    }

    /// Adds up series by series. What cannot be summed stays as it is here.
    mutating func add(_ other: MetricFamily) {
        combine(other) { $0.adding($1) }
    }

    /// Makes each series at least as large as the other's.
    mutating func raise(to other: MetricFamily) {
        combine(other) { $0.raised(to: $1) }
    }

    private mutating func combine(_ other: MetricFamily, _ combined: (MetricValue, MetricValue) -> MetricValue?) {
        guard kind == other.kind else { return }
        for (labels, value) in other.series {
            guard let own = series[labels] else {
                series[labels] = value
                continue
            }
            series[labels] = combined(own, value) ?? own
        }
    }

    /// In a stable order.
    package var sorted: [Series] {
        series.map { Series(labels: $0.key, value: $0.value) }
            .sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    }

    private enum CodingKeys: CodingKey {
        case kind, help, series
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(MetricKind.self, forKey: .kind)
        help = try container.decodeIfPresent(String.self, forKey: .help)
        series = Dictionary(
            try container.decode([Series].self, forKey: .series).map { ($0.labels, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(help, forKey: .help)
        try container.encode(sorted, forKey: .series)
    }
}
