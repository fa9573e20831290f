/// The metrics of a process at one moment, or the sums of several processes.
package struct MetricSnapshot: Sendable, Hashable, Codable {
    package private(set) var families: [String: MetricFamily] = [:]

    package init() {}

    /// Accesses the metric with this name. The name is not sanitized.
    package subscript(name: String) -> MetricFamily? {
        get { families[name] }
        set { families[name] = newValue }
    }

    package mutating func set(_ value: Double, _ description: MetricDescription, _ labels: [MetricLabel] = []) {
        set(.number(value), description, labels)
    }

    package mutating func set(_ value: MetricValue, _ description: MetricDescription, _ labels: [MetricLabel] = []) {
        families[description.name, default: MetricFamily(kind: description.kind, help: description.help)].set(
            value, labels)
    }

    /// Adds the values of another snapshot, and copies the metrics that only the other snapshot contains.
    package mutating func add(_ other: MetricSnapshot) {
        for (name, family) in other.families {
            if families[name] == nil {
                families[name] = family
            } else {
                families[name]?.add(family)
            }
        }
    }

    /// Raises every number to at least the number of the other snapshot.
    ///
    /// A sum of increasing numbers never decreases, so the larger of two sums is the later one.
    mutating func raise(to other: MetricSnapshot) {
        for (name, family) in other.families {
            if families[name] == nil {
                families[name] = family
            } else {
                families[name]?.raise(to: family)
            }
        }
    }

    /// The snapshot without its gauges, which are valid only while their process runs.
    var withoutGauges: MetricSnapshot {
        var rest = MetricSnapshot()
        rest.families = families.filter { $0.value.kind != .gauge }
        return rest
    }
}

/// All series of one metric at one moment.
package struct MetricFamily: Sendable, Hashable, Codable {
    package struct Series: Sendable, Hashable, Codable {
        package let labels: [MetricLabel]
        package let value: MetricValue
    }

    package let kind: MetricKind
    package let help: String?
    /// The values by list of labels, so that each list occurs once.
    package private(set) var series: [[MetricLabel]: MetricValue]

    package init(kind: MetricKind, help: String? = nil) {
        self.kind = kind
        self.help = help
        series = [:]
    }

    package mutating func set(_ value: MetricValue, _ labels: [MetricLabel] = []) {
        series[MetricLabel.canonical(labels)] = value
    }

    /// Adds the values of another metric, series by series. A value that cannot be added leaves the series
    /// unchanged.
    mutating func add(_ other: MetricFamily) {
        combine(other) { $0.adding($1) }
    }

    /// Raises each series to at least the value of the other metric.
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

    /// The series in a stable order.
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

/// The name, kind and help text of a metric.
package struct MetricDescription: Sendable, Hashable {
    package let name: String
    package let kind: MetricKind
    package let help: String
    /// The upper bounds of a histogram's buckets, in ascending order, without the last bucket, which is unbounded.
    package let bounds: [Double]

    package init(_ name: String, _ kind: MetricKind, _ help: String, bounds: [Double] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.bounds = bounds
    }

    /// The bounds of a histogram without a description: 1 ms to 10 s when it counts seconds.
    package static let standardBounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
}

/// The kind of a metric, which determines the meaning of its numbers.
package enum MetricKind: String, Sendable, Hashable, Codable {
    /// A number that only increases until its process ends.
    case counter
    /// The current value, which can rise and fall.
    case gauge
    /// The number of observations up to each bound.
    case histogram
}

/// The value of a series at one moment.
package enum MetricValue: Sendable, Hashable, Codable {
    case number(Double)
    case histogram(HistogramValue)

    /// Returns the sum of both values; nil when they cannot be added.
    func adding(_ other: MetricValue) -> MetricValue? {
        switch (self, other) {
        case (.number(let left), .number(let right)): .number(left + right)
        case (.histogram(let left), .histogram(let right)): left.adding(right).map(MetricValue.histogram)
        default: nil
        }
    }

    /// Returns the larger of both values; nil when they cannot be compared.
    func raised(to other: MetricValue) -> MetricValue? {
        switch (self, other) {
        case (.number(let left), .number(let right)): .number(max(left, right))
        case (.histogram(let left), .histogram(let right)): left.raised(to: right).map(MetricValue.histogram)
        default: nil
        }
    }
}

/// Observations, counted by size.
package struct HistogramValue: Sendable, Hashable, Codable {
    /// The upper bounds of the buckets, in ascending order. One more bucket, without a bound, follows the last.
    package let bounds: [Double]
    /// The number of observations in each bucket (not cumulative); one more element than ``bounds``.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Double

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
        sum = 0
    }

    /// Creates a histogram from existing counts. Missing counts are 0; surplus counts are ignored.
    package init(bounds: [Double], counts: [UInt64], sum: Double) {
        self.init(bounds: bounds)
        for (index, count) in zip(self.counts.indices, counts) { self.counts[index] = count }
        self.sum = sum
    }

    package var count: UInt64 { counts.reduce(0, &+) }

    package mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] &+= 1
        sum += value
    }

    /// Returns the sum of both histograms; nil when their bounds differ, so that they cannot be added.
    package func adding(_ other: HistogramValue) -> HistogramValue? {
        guard bounds == other.bounds, counts.count == other.counts.count else { return nil }
        return HistogramValue(bounds: bounds, counts: zip(counts, other.counts).map { $0 &+ $1 }, sum: sum + other.sum)
    }

    /// Returns a histogram with the larger of each two numbers; nil when the bounds differ.
    func raised(to other: HistogramValue) -> HistogramValue? {
        guard bounds == other.bounds, counts.count == other.counts.count else { return nil }
        return HistogramValue(
            bounds: bounds, counts: zip(counts, other.counts).map { max($0, $1) }, sum: max(sum, other.sum))
    }

    /// The number of observations up to each bound; the last element is the number of all observations.
    var cumulative: [UInt64] {
        var total: UInt64 = 0
        return counts.map { count in
            total &+= count
            return total
        }
    }
}

/// Prometheus' text format, version 0.0.4.
package enum PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns the text with metrics sorted by name and series sorted by labels, so that equal values produce equal
    /// text.
    package static func render(_ snapshot: MetricSnapshot) -> String {
        var text = ""
        for (name, family) in snapshot.families.sorted(by: { $0.key < $1.key }) where !family.series.isEmpty {
            if let help = family.help { text += "# HELP \(name) \(escapedHelp(help))\n" }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for series in family.sorted { append(series, of: name, to: &text) }
        }
        return text
    }

    private static func append(_ series: MetricFamily.Series, of name: String, to text: inout String) {
        switch series.value {
        case .number(let value):
            text += "\(name)\(labels(series.labels)) \(number(value))\n"
        case .histogram(let histogram):
            let bounds = histogram.bounds.map(number) + ["+Inf"]
            for (bound, count) in zip(bounds, histogram.cumulative) {
                text += "\(name)_bucket\(labels(series.labels, bound: bound)) \(count)\n"
            }
            text += "\(name)_sum\(labels(series.labels)) \(number(histogram.sum))\n"
            text += "\(name)_count\(labels(series.labels)) \(histogram.count)\n"
        }
    }

    private static func labels(_ labels: [MetricLabel], bound: String? = nil) -> String {
        var pairs = labels.map { "\($0.name)=\"\(escapedValue($0.value))\"" }
        if let bound { pairs.append("le=\"\(bound)\"") }
        return pairs.isEmpty ? "" : "{" + pairs.joined(separator: ",") + "}"
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escapedHelp(_ text: String) -> String {
        escaped(text) { $0 == "\\" ? "\\\\" : $0 == "\n" ? "\\n" : nil }
    }

    private static func escapedValue(_ text: String) -> String {
        escaped(text) { $0 == "\\" ? "\\\\" : $0 == "\n" ? "\\n" : $0 == "\"" ? "\\\"" : nil }
    }

    /// Replaces scalars, not characters: a quotation mark with a combining accent is one character.
    private static func escaped(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replaced = replacement(scalar) {
                result.append(contentsOf: replaced.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
