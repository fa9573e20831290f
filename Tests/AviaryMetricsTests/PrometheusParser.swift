/// A strict parser for Prometheus' text format 0.0.4, which rejects every deviation from the format.
struct PrometheusParser {
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    struct Sample: Hashable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        let type: String
        var help: String?
        var samples: [Sample] = []
    }

    private(set) var families: [String: Family] = [:]
    private var current: String?
    private var pendingHelp: (name: String, text: String)?
    private var seen: Set<[String]> = []

    static func parse(_ text: String) throws -> [String: Family] {
        guard text.isEmpty || text.unicodeScalars.last == "\n" else {
            throw Mistake(description: "The last line has no end.")
        }
        var parser = PrometheusParser()
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            try parser.read(String(String.UnicodeScalarView(line)))
        }
        for (name, family) in parser.families where family.type == "histogram" { try check(family, name) }
        return parser.families
    }

    private mutating func read(_ line: String) throws {
        if line.hasPrefix("# HELP ") {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            guard words.count == 4, pendingHelp == nil else { throw Mistake(description: "HELP is malformed: \(line)") }
            pendingHelp = (String(words[2]), String(words[3]))
        } else if line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 4, ["counter", "gauge", "histogram"].contains(words[3]), families[words[2]] == nil,
                pendingHelp.map({ $0.name == words[2] }) ?? true, Self.isName(words[2])
            else { throw Mistake(description: "TYPE is malformed, repeated or not that of its HELP: \(line)") }
            families[words[2]] = Family(type: words[3], help: pendingHelp?.text)
            (current, pendingHelp) = (words[2], nil)
        } else {
            let sample = try Self.sample(line)
            guard let current, let type = families[current]?.type, pendingHelp == nil,
                Self.names(of: current, type).contains(sample.name)
            else { throw Mistake(description: "A sample stands outside its metric: \(line)") }
            guard
                seen.insert([sample.name] + sample.labels.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
                    .inserted
            else { throw Mistake(description: "A series stands there twice: \(line)") }
            if type == "counter", !(sample.value >= 0) { throw Mistake(description: "A counter is negative: \(line)") }
            families[current]?.samples.append(sample)
        }
    }

    private static func names(of name: String, _ type: String) -> [String] {
        type == "histogram" ? ["_bucket", "_sum", "_count"].map { name + $0 } : [name]
    }

    private static func isName(_ text: String) -> Bool { text.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil }

    private static func sample(_ line: String) throws -> Sample {
        var rest = Array(line.unicodeScalars)[...]
        let name = text(rest.prefix { $0 != "{" && $0 != " " })
        rest = rest.dropFirst(name.unicodeScalars.count)
        guard isName(name) else { throw Mistake(description: "No name: \(line)") }
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            repeat {
                let label = text(rest.prefix { $0 != "=" })
                rest = rest.dropFirst(label.unicodeScalars.count)
                guard label.wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]*/) != nil, rest.popFirst() == "=",
                    rest.popFirst() == "\""
                else { throw Mistake(description: "No label: \(line)") }
                guard labels.updateValue(try value(&rest, line), forKey: label) == nil
                else { throw Mistake(description: "A label stands there twice: \(line)") }
            } while try next(&rest, line)
        }
        guard rest.popFirst() == " ", let number = number(text(rest)) else {
            throw Mistake(description: "No number: \(line)")
        }
        return Sample(name: name, labels: labels, value: number)
    }

    private static func next(_ rest: inout ArraySlice<Unicode.Scalar>, _ line: String) throws -> Bool {
        switch rest.popFirst() {
        case ",": return true
        case "}": return false
        default: throw Mistake(description: "The labels do not end: \(line)")
        }
    }

    private static func value(_ rest: inout ArraySlice<Unicode.Scalar>, _ line: String) throws -> String {
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(value)
            case "\\":
                switch rest.popFirst() {
                case "\\": value.append("\\")
                case "\"": value.append("\"")
                case "n": value.append("\n")
                default: throw Mistake(description: "An unknown escape: \(line)")
                }
            default: value.append(scalar)
            }
        }
        throw Mistake(description: "A value does not end: \(line)")
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?/) == nil ? nil : Double(text)
        }
    }

    /// Checks that the buckets increase up to `+Inf`, whose value is the count.
    private static func check(_ family: Family, _ name: String) throws {
        let groups = Dictionary(grouping: family.samples) { $0.labels.filter { $0.key != "le" } }
        for samples in groups.values {
            let buckets = samples.filter { $0.name == name + "_bucket" }
            let bounds = buckets.compactMap { $0.labels["le"].flatMap(number) }
            guard bounds.count == buckets.count, bounds.last == .infinity,
                zip(bounds, bounds.dropFirst()).allSatisfy(<),
                zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }),
                samples.count(where: { $0.name == name + "_sum" }) == 1,
                samples.filter({ $0.name == name + "_count" }).map(\.value) == buckets.last.map({ [$0.value] })
            else { throw Mistake(description: "The histogram \(name) does not add up.") }
        }
    }
}
