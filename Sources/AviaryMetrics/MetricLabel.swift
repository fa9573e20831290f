/// A label of a series.
///
/// Take the value from a closed set, because a series lives as long as its process.
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

    /// Returns the labels sorted by name. Of two labels with the same name it keeps the first.
    static func canonical(_ labels: [MetricLabel]) -> [MetricLabel] {
        var names: Set<String> = []
        return labels.filter { names.insert($0.name).inserted }.sorted()
    }

    static func canonical(_ dimensions: [(String, String)]) -> [MetricLabel] {
        canonical(dimensions.map { MetricLabel($0.0, $0.1) })
    }
}

/// The rules for names in Prometheus. All conversions of other text to such names are here.
package enum MetricName {
    /// Returns a valid metric name: letters, digits, `_` and `:`, without a leading digit.
    package static func metric(_ text: String) -> String {
        sanitized(text, isAllowed: { isLetterOrDigit($0) || $0 == UInt8(ascii: ":") })
    }

    /// Returns a valid label name: letters, digits and `_`.
    ///
    /// Prometheus reserves `le`, `quantile` and names that begin with two underscores, so these are changed.
    package static func label(_ text: String) -> String {
        let name = sanitized(text, isAllowed: isLetterOrDigit)
        if name == "le" || name == "quantile" { return name + "_" }
        return name.hasPrefix("__") ? "label" + name : name
    }

    /// Returns a valid metric name with the suffix of its kind or unit, such as `_total`.
    static func metric(_ text: String, ending: String) -> String {
        let name = metric(text)
        return name.hasSuffix(ending) ? name : name + ending
    }

    private static func sanitized(_ text: String, isAllowed: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let byte = scalar.isASCII ? UInt8(truncatingIfNeeded: scalar.value) : 0
            bytes.append(isAllowed(byte) ? byte : UInt8(ascii: "_"))
        }
        guard let first = bytes.first else { return "unnamed" }
        if isDigit(first) { bytes.insert(UInt8(ascii: "_"), at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
