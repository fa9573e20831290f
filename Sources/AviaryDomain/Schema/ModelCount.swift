/// How many related records a to-many property may have.
///
/// ```swift
/// @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Author.books)
/// var authors: Related<Author>
/// ```
public struct ModelCount: Sendable, Hashable, Codable {
    /// At least so many; 0 for no least number.
    public let minimum: Int
    /// At most so many; nil for any number.
    public let maximum: Int?

    package init(minimum: Int = 0, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Nothing is asked for.
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
    /// `at least 1`, `at most 3`, `1 to 3`, `exactly 2`, `any number`.
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
