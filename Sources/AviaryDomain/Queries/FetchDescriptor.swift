public import Foundation

/// The conditions, order and limits of a fetch.
///
/// ```swift
/// var descriptor = FetchDescriptor<Animal>(
///     predicate: #Predicate { $0.name.starts(with: "O") && $0.weight > 100 },
///     sortBy: [SortDescriptor(\.name)]
/// )
/// descriptor.fetchLimit = 20
/// let animals = try await store.repository(for: Animal.self).fetch(descriptor)
/// ```
///
/// The store gives the result that the predicate's own `evaluate(_:)` gives, with three exceptions that follow from the
/// storage of values:
/// - The store compares and sorts strings by their bytes. "é" as one Unicode scalar differs from "é" as two, and a
///   search finds a part of a character.
/// - The store compares dates with a precision of one millisecond.
/// - An overflow in integer arithmetic is an error and does not end the program.
///
/// The store rejects what it cannot evaluate with certainty. It throws a ``QueryError`` that says what to write
/// instead.
///
/// The compiler requires enum cases and computed values of the program to be constants outside the predicate: `let diet
/// = Animal.Diet.herbivorous`, then `#Predicate { $0.diet == diet }`.
public struct FetchDescriptor<M: Model>: Sendable {
    /// The condition that each record fulfils; nil for all records.
    public var predicate: Predicate<M>?
    /// The conditions on related records. A record must fulfil each of them.
    public var related: [RelatedCondition<M>] = []

    /// Words that each record contains in properties declared `@Attribute(.fullText)`.
    ///
    /// Each word occurs in one of these properties, as a whole or as a part of a word, without regard to case and
    /// accents, as with `localizedStandardContains`. The typographic variants of apostrophes, quotes and dashes are
    /// equal: "O'Brien" finds "O’Brien". Nil or a blank string finds all records.
    public var search: String?

    /// The order of the records, with the most significant descriptor first.
    ///
    /// Nil precedes every value. Records that are equal in all descriptors are sorted by their ids, and so are all
    /// records when the array is empty.
    public var sortBy: [SortDescriptor<M>]
    /// The greatest number of records; nil for all.
    public var fetchLimit: Int?
    /// The number of records to skip at the beginning.
    public var fetchOffset: Int?
    /// The relations whose records ``Repository/fetchResults(_:)`` fetches too.
    public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<M> & Sendable] = []

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - predicate: The condition that each record fulfils; nil for all records.
    ///   - sortBy: The order of the records, with the most significant descriptor first; by id where it is empty.
    public init(predicate: Predicate<M>? = nil, sortBy: [SortDescriptor<M>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
