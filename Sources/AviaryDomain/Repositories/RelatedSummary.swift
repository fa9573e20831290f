package import Foundation

/// The records that one is related to, as far as a page shows them.
package struct RelatedSummary: Sendable, Hashable {
    /// The number up to which related records are counted, because a tag may have a million books.
    package static let mostCounted = 1000

    /// Some of them, always the same.
    package let first: [RecordChoice]
    /// The number of related records, at most one more than ``mostCounted``.
    package let count: Int

    package init(first: [RecordChoice], count: Int) {
        self.first = first
        self.count = count
    }

    package static let none = RelatedSummary(first: [], count: 0)

    /// `12`, `more than 1,000`.
    package var countInWords: String {
        count > Self.mostCounted ? "more than \(Words.grouped(Self.mostCounted))" : Words.grouped(count)
    }
}

/// The changes of a record's links by a Save.
package struct LinkEdit: Sendable, Hashable {
    /// A many-to-many property of the record's model.
    package let property: String
    package let added: [UUID]
    package let removed: [UUID]

    package init(property: String, added: [UUID], removed: [UUID]) {
        self.property = property
        self.added = added
        self.removed = removed
    }
}
