package import Foundation

/// The records of one model for the admin.
///
/// Reads are short and bounded. Writes are change sets for the store.
package protocol RecordRepository: Sendable {
    var schema: ModelSchema { get }

    /// Returns all records, sorted by id.
    func fetchAll() async throws -> [Record]

    /// Returns a page of the list.
    ///
    /// - Throws: ``ReadError/Code/tookTooLong`` when the conditions take longer than the time limit of a page.
    func page(_ request: PageRequest) async throws -> Page

    /// Returns the record; nil when it does not exist, or no longer exists.
    func find(_ id: UUID) async throws -> Record?

    /// Returns the records that match the query, in its order.
    func fetch(_ query: RecordQuery) async throws -> [Record]

    /// Returns the ids of the records that match the query, in its order.
    func identifiers(_ query: RecordQuery) async throws -> [UUID]

    /// Returns the ids of the records that have exactly these values.
    ///
    /// - Parameters:
    ///   - values: The values, by property name.
    ///   - limit: The greatest number of ids, the first in their order.
    func ids(where values: [String: FieldValue], limit: Int) async throws -> [UUID]

    /// Returns the ids and titles for a picker, sorted by title.
    ///
    /// - Parameter limit: The greatest number of records.
    func choices(limit: Int) async throws -> [RecordChoice]

    /// Returns the ids and titles of records whose titles begin with a text, followed by those whose titles contain
    /// its words.
    ///
    /// The time is bounded: among very many records, the search does not read all, and the result says so.
    ///
    /// - Parameters:
    ///   - text: The text to search for.
    ///   - limit: The greatest number of records.
    func choices(matching text: String, limit: Int) async throws -> ChoiceMatches

    /// Returns the ids and titles of those of the records that exist.
    func choices(of ids: [UUID]) async throws -> [RecordChoice]

    /// Returns for each of these records the related records of a to-many property, with the given number of first
    /// ones.
    ///
    /// The number of statements is fixed, however many records there are.
    func related(to ids: [UUID], by property: String, limit: Int) async throws -> [UUID: RelatedSummary]

    /// The exact number of records.
    func count() async throws -> Int

    /// Returns the records that deleting these would affect.
    func deletePlan(for ids: [UUID]) async throws -> DeletePlan

    /// Indicates whether hooks of the application may change a record between its input and the check of its rules.
    /// Only types are checked before then.
    var preparesRecords: Bool { get }

    /// Stores one record: a new one when `version` is nil; otherwise a change of the record with that version.
    func save(_ submission: RecordSubmission) async throws(StoreError) -> Receipt

    /// Deletes the records, all or none.
    func delete(ids: [UUID], as deletion: Deletion) async throws(StoreError) -> Receipt
}

package struct RecordChoice: Sendable, Hashable {
    package let id: UUID
    package let title: String

    package init(id: UUID, title: String) {
        self.id = id
        self.title = title
    }
}

/// A record as an editor saves it.
package struct RecordSubmission: Sendable, Hashable {
    /// The id of the draft, which becomes the id of the change set.
    package let draft: UUID
    package let author: String
    package let id: UUID
    /// The version that the editor saw; nil for a new record.
    package let version: Int64?
    package let values: [String: FieldValue]
    /// The changes of links, which are part of the same change set.
    package let links: [LinkEdit]
    /// The changes of other records, which are part of the same change set.
    package let others: [Change]

    package init(
        draft: UUID, author: String, id: UUID, version: Int64?, values: [String: FieldValue], links: [LinkEdit] = [],
        others: [Change] = []
    ) {
        self.draft = draft
        self.author = author
        self.id = id
        self.version = version
        self.values = values
        self.links = links
        self.others = others
    }
}

/// The author, the id and the cascade limit of a delete (nil for no limit).
package struct Deletion: Sendable, Hashable {
    package let changeSet: UUID
    package let author: String
    package let cascadeLimit: Int?

    package init(changeSet: UUID = .version7(), author: String, cascadeLimit: Int?) {
        self.changeSet = changeSet
        self.author = author
        self.cascadeLimit = cascadeLimit
    }
}

/// The records of one model for a ``Repository``.
package protocol ModelRecords: Sendable {
    /// Returns the results of `make` for each record, in the order of the query. The records have no titles of
    /// references.
    func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value]

    /// Returns the results of `make` for each record's id and the values of these properties, the only ones that are
    /// read.
    func values<Value: Sendable>(
        _ query: RecordQuery, of properties: [PropertySchema],
        _ make: @escaping @Sendable (UUID, [FieldValue]) throws -> Value
    ) async throws -> [Value]

    /// Returns the records with their related records, using one statement for each relation.
    func related(_ query: RecordQuery, by paths: [RelationPath]) async throws -> RelatedRecordLists

    func identifiers(_ query: RecordQuery) async throws -> [UUID]

    func count(_ query: RecordQuery) async throws -> Int

    /// Returns the record; nil when it does not exist, or no longer exists.
    func find(_ id: UUID) async throws -> Record?

    /// Returns the receipt of a change set; nil while no change set with this id is on disk, and when its receipt has
    /// expired.
    func receipt(of changeSet: UUID) async throws -> Receipt?

    /// Indicates whether hooks of the application may change a record between its input and the check of its rules.
    /// Only types are checked before then.
    var preparesRecords: Bool { get }

    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt
}

// Defaults for records without hooks.
extension RecordRepository {
    package var preparesRecords: Bool { false }
}

extension ModelRecords {
    package var preparesRecords: Bool { false }
}

/// The result of a search among the titles of records.
package struct ChoiceMatches: Sendable, Hashable {
    package let choices: [RecordChoice]
    /// Indicates whether all records were searched, or the requested number was found.
    ///
    /// Otherwise further records may match, even when none was found.
    package let isComplete: Bool

    package init(choices: [RecordChoice], isComplete: Bool) {
        self.choices = choices
        self.isComplete = isComplete
    }
}

/// The number of records of a filtered list.
///
/// Counting stops at a limit, because reading millions of records for a number is too expensive. Above the limit,
/// the number is a lower bound.
package struct MatchCount: Sendable, Hashable {
    /// The number up to which records are counted.
    package static let mostCounted = 10_000

    package let number: Int
    /// Indicates whether there are no more records.
    package let isExact: Bool

    package static func exactly(_ number: Int) -> MatchCount { MatchCount(number: number, isExact: true) }
    package static func atLeast(_ number: Int) -> MatchCount { MatchCount(number: number, isExact: false) }

    /// The number in words: `152`, `10,000+`.
    package var inWords: String { TextFormatter.grouped(number) + (isExact ? "" : "+") }
}

/// Records with their related records for some relations, all read from one snapshot of the store.
package struct RelatedRecordLists: Sendable {
    package let records: [Record]
    /// The related records for each requested relation, by the id of the record that has it. Each record has an
    /// entry.
    package let related: [[UUID: [Record]]]

    package init(records: [Record], related: [[UUID: [Record]]]) {
        self.records = records
        self.related = related
    }
}

/// The related records of a record, as far as a page shows them.
package struct RelatedSummary: Sendable, Hashable {
    /// The number up to which related records are counted, because a tag may have a million books.
    package static let mostCounted = 1000

    /// The first related records, in a stable order.
    package let first: [RecordChoice]
    /// The number of related records, at most one more than ``mostCounted``.
    package let count: Int

    package init(first: [RecordChoice], count: Int) {
        self.first = first
        self.count = count
    }

    package static let none = RelatedSummary(first: [], count: 0)

    /// The number in words: `12`, `more than 1,000`.
    package var countInWords: String {
        count > Self.mostCounted ? "more than \(TextFormatter.grouped(Self.mostCounted))" : TextFormatter.grouped(count)
    }
}

/// The changes of a record's links that an editor saves.
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
