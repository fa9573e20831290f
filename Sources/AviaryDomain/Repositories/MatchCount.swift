/// The number of records of a filtered list.
///
/// Counting stops at a limit, because reading millions of records for a number is too expensive. Above the limit it is
/// only known that there are more.
package struct MatchCount: Sendable, Hashable {
    /// The number up to which records are counted.
    package static let mostCounted = 10_000

    package let number: Int
    /// A Boolean value that indicates whether there are no more records.
    package let isExact: Bool

    package static func exactly(_ number: Int) -> MatchCount { MatchCount(number: number, isExact: true) }
    package static func atLeast(_ number: Int) -> MatchCount { MatchCount(number: number, isExact: false) }

    /// `152`, `10,000+`.
    package var inWords: String { Words.grouped(number) + (isExact ? "" : "+") }
}
