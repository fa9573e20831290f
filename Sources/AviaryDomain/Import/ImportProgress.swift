/// The progress of an import.
package struct ImportProgress: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable {
        /// Looking at every line.
        case checking
        case storing
    }

    package let step: Step
    /// Lines.
    package let done: Int
    /// The total; nil when it is unknown.
    package let total: Int?

    package init(_ step: Step, done: Int = 0, of total: Int? = nil) {
        self.step = step
        self.done = done
        self.total = total
    }

    /// `The records are stored: 40 % so far.`
    package var words: String {
        switch step {
        case .checking:
            localized(
                done, one: "All lines are looked at first: 1 so far.",
                other: "All lines are looked at first: \(done) so far.")
        case .storing: localized("The records are stored: \(percent) so far.")
        }
    }

    private var percent: String {
        guard let total, total > 0 else { return "0 %" }
        return "\(min(100, done * 100 / total)) %"
    }
}
