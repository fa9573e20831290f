/// The bounds of the number of related records of a to-many property.
///
/// ```swift
/// @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Author.books)
/// var authors: Related<Author>
/// ```
public struct ModelCount: Sendable, Hashable, Codable {
    /// The smallest number; 0 for no lower bound.
    public let minimum: Int
    /// The largest number; nil for no upper bound.
    public let maximum: Int?

    package init(minimum: Int = 0, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The count without bounds.
    package static let any = ModelCount()

    package func contains(_ count: Int) -> Bool {
        count >= minimum && maximum.map { count <= $0 } ?? true
    }

    /// `at least 1`, `at most 3`: the one that so many do not keep to.
    package func bound(brokenBy count: Int) -> String {
        if count < minimum { return localized("at least \(minimum)") }
        return maximum.map { localized("at most \($0)") } ?? description
    }
}

extension ModelCount: CustomStringConvertible {
    /// The bounds in words, in the current language: `at least 1`, `at most 3`, `1 to 3`, `exactly 2`, `any number`.
    public var description: String {
        switch (minimum, maximum) {
        case (0, nil): localized("any number")
        case (let minimum, nil): localized("at least \(minimum)")
        case (0, let maximum?): localized("at most \(maximum)")
        case (let minimum, let maximum?):
            minimum == maximum ? localized("exactly \(minimum)") : localized("\(minimum) to \(maximum)")
        }
    }
}
