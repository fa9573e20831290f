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
