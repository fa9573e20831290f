/// The metrics of a process at one moment, or the sums of several processes.
package struct MetricSnapshot: Sendable, Hashable, Codable {
    package private(set) var families: [String: MetricFamily] = [:]

    package init() {}

    /// Puts the metric in, under a name that is taken as it is.
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

    /// Adds up what both have, and takes over what only the other has.
    package mutating func add(_ other: MetricSnapshot) {
        for (name, family) in other.families {
            if families[name] == nil {
                families[name] = family
            } else {
                families[name]?.add(family)
            }
        }
    }

    /// Makes every number at least as large as the other's. Of two sums of the same growing numbers that is the later one.
    mutating func raise(to other: MetricSnapshot) {
        for (name, family) in other.families {
            if families[name] == nil {
                families[name] = family
            } else {
                families[name]?.raise(to: family)
            }
        }
    }

    /// Without what was so only while its process lived.
    var withoutGauges: MetricSnapshot {
        var rest = MetricSnapshot()
        rest.families = families.filter { $0.value.kind != .gauge }
        return rest
    }
}
