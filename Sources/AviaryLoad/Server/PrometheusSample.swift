/// One line of what `/metrics` says.
struct PrometheusSample: Sendable, Hashable {
    let name: String
    /// As they stand between the braces.
    let labels: [String: String]
    let value: Double

    /// Lines that are no samples are left out.
    static func all(in text: String) -> [PrometheusSample] {
        text.split(separator: "\n").compactMap { PrometheusSample($0) }
    }

    init?(_ line: Substring) {
        guard !line.hasPrefix("#"), let space = line.lastIndex(of: " "),
            let value = Double(line[line.index(after: space)...])
        else { return nil }
        self.value = value
        let head = line[..<space]
        guard let brace = head.firstIndex(of: "{"), head.hasSuffix("}") else {
            name = String(head)
            labels = [:]
            return
        }
        name = String(head[..<brace])
        var labels: [String: String] = [:]
        // Our own labels hold neither commas nor quotes.
        for pair in head[head.index(after: brace)...].dropLast().split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2 {
                labels[String(sides[0])] =
                    sides[1].trimmingPrefix("\"").suffix(1) == "\""
                    ? String(sides[1].dropFirst().dropLast()) : String(sides[1])
            }
        }
        self.labels = labels
    }
}
