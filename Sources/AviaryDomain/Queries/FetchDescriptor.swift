public import Foundation

/// Which records of a model to fetch, and in which order.
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
/// The store answers as the predicate's own `evaluate(_:)` would, with three exceptions that follow from how values are
/// stored. Texts are compared and ordered by their bytes: "é" written as one character is not "é" written as two, and a
/// part of a character is found. Dates are compared by the millisecond. A calculation with integers that overflows is an
/// error and does not end the program. What the store cannot be asked with certainty it refuses with a ``QueryError``
/// that says what to write instead.
///
/// The compiler wants enum cases and computed values of the program as constants outside of the predicate:
/// `let diet = Animal.Diet.herbivorous`, then `#Predicate { $0.diet == diet }`.
public struct FetchDescriptor<M: Model>: Sendable {
    /// What holds for each record; nil for all records.
    public var predicate: Predicate<M>?
    /// What holds for records that it is related to: each of these.
    public var related: [RelatedCondition<M>] = []
    /// Words, each of which stands in one of the properties that are declared `@Attribute(.fullText)`, in part or whole,
    /// without regard to case and accents, as `localizedStandardContains`, and to which apostrophes, quotes and dashes
    /// are written: "O'Brien" finds "O’Brien".
    /// Nil or blank finds all records.
    public var search: String?
    /// What counts first stands first; nil comes before every value. Records that are equal in all of it are in the order
    /// of their ids, and so are all records when it is empty.
    public var sortBy: [SortDescriptor<M>]
    /// At most so many; nil for all.
    public var fetchLimit: Int?
    /// Leaves out so many from the beginning.
    public var fetchOffset: Int?
    /// Relations whose records ``Repository/fetchResults(_:)`` fetches too.
    public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<M> & Sendable] = []

    public init(predicate: Predicate<M>? = nil, sortBy: [SortDescriptor<M>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
