import Foundation
import Testing

/// A kind of predicate that users write.
struct PredicateShape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Gets what makes the texts in it those of the records that it is asked of.
    let predicate: @Sendable (_ text: (String) -> String) -> Predicate<Creature>

    init(_ description: String, _ predicate: @escaping @Sendable ((String) -> String) -> Predicate<Creature>) {
        testDescription = description
        self.predicate = predicate
    }

    static let all = texts + optionals + numbers + logic + choices + times + lists + identities
}
