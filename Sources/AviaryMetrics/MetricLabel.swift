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

/// What Prometheus takes as a name: the one place that turns anything else into one.
package enum MetricName {
    /// A metric's name: letters, digits, `_` and `:`, with no digit in front.
    package static func metric(_ text: String) -> String {
        sanitized(text, isAllowed: { isLetterOrDigit($0) || $0 == UInt8(ascii: ":") })
    }

    /// A label's name: letters, digits and `_`. Two underscores in front and `le` are Prometheus' own.
    package static func label(_ text: String) -> String {
        let name = sanitized(text, isAllowed: isLetterOrDigit)
        if name == "le" || name == "quantile" { return name + "_" }
        return name.hasPrefix("__") ? "label" + name : name
    }

    /// The name with the ending that its kind or unit asks for.
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
