/// The problems of a file as people read them: equal ones together, with their number and most frequent values.
package struct ProblemSummary: Sendable, Hashable, Codable {
    /// The groups, the largest first.
    package let groups: [ProblemGroup]
    /// The number of problems that belong to no group.
    package let more: Int

    /// Creates the summary of problems.
    ///
    /// - Parameter more: The number of problems beside those that are grouped.
    package init(_ problems: ProblemGroups, more: Int = 0) {
        groups = problems.all
        self.more = problems.ungrouped + more
    }

    package var isEmpty: Bool { groups.isEmpty && more == 0 }

    /// Returns a sentence for each group, and one for the problems that are left out.
    ///
    /// - Parameter limit: The largest number of groups.
    package func lines(atMost limit: Int = .max) -> [String] {
        let left = groups.dropFirst(limit).reduce(more) { $0 + $1.count }, lines = groups.prefix(limit).map(\.words)
        guard left > 0 else { return lines }
        let number = TextFormatter.grouped(left)
        return lines + [localized(left, one: "and 1 more problem", other: "and \(number) more problems")]
    }
}

extension ProblemGroup {
    /// The problem in words, such as `Lines 3–90, 12 times: legs: Enter a whole number. The lines have “x” 11 times and
    /// “four”.`
    package var words: String {
        func quoted(_ text: String) -> String {
            text.isEmpty ? localized("no value") : TextFormatter.quoted(text.printable)
        }
        guard count > 1 else {
            let problem = localized("Line \(String(firstLine)): \(message)")
            guard let value = values.first else { return problem }
            return problem + " " + localized("The line has \(quoted(value.text)).")
        }
        let (first, last, number) = (String(firstLine), String(lastLine), TextFormatter.grouped(count))
        let problem = localized("Lines \(first)–\(last), \(number) times: \(message)")
        guard !values.isEmpty else { return problem }
        var texts = values.map { value in
            value.count == 1
                ? quoted(value.text)
                : localized("\(quoted(value.text)) \(TextFormatter.grouped(value.count)) times")
        }
        if hasMoreValues { texts.append(localized("other values")) }
        return problem + " " + localized("The lines have \(TextFormatter.list(texts)).")
    }
}
