/// The bounds of the length of a string, counted as Swift `Character` values. Write them as a range: `.length(1...80)`.
public struct LengthBounds: Sendable, Hashable {
    /// The smallest length.
    public let least: Int
    /// The largest length; nil for no upper bound.
    public let most: Int?

    package init(least: Int, most: Int?) {
        self.least = least
        self.most = most
    }
}

extension LengthBounds {
    /// Returns the advice for a text that does not fit; nil for one that fits.
    func problem(with text: String) -> String? {
        // A character has a byte or more, and counting characters takes a hundred times as long as counting bytes.
        let bytes = text.utf8.count
        if bytes <= most ?? .max, least <= (bytes == 0 ? 0 : 1) { return nil }
        let count = text.count
        guard count < least || count > most ?? .max else { return nil }
        if let most, most == least {
            return localized(most, one: "Write exactly 1 character.", other: "Write exactly \(most) characters.")
        }
        if count < least {
            return localized(least, one: "Write at least 1 character.", other: "Write at least \(least) characters.")
        }
        return most.map { localized($0, one: "Write at most 1 character.", other: "Write at most \($0) characters.") }
    }

    /// The mistake in the bounds themselves; nil when there is none.
    var mistake: String? { least < 0 ? "counts characters from below 0" : nil }
}
