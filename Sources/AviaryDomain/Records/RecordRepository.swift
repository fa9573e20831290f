package import Foundation

/// The records of one model, as the admin uses them.
///
/// Reads are short and bounded; writes go through the store as change sets.
package protocol RecordRepository: Sendable {
    var schema: ModelSchema { get }

    /// Every record, in the order of their ids.
    func fetchAll() async throws -> [Record]

    /// Returns a page of the list.
    ///
    /// - Throws: ``ReadError/tookTooLong(limit:)`` when the conditions need more work than a page may take.
    func page(_ request: PageRequest) async throws -> Page

    /// The record, or nil when it does not exist (any more).
    func find(_ id: UUID) async throws -> Record?

    /// The records that the query asks for, in its order.
    func fetch(_ query: RecordQuery) async throws -> [Record]

    /// The ids of the records that the query asks for, in its order.
    func identifiers(_ query: RecordQuery) async throws -> [UUID]

    /// The ids, in their order and at most so many, of the records that have exactly these values, by property name.
    func ids(where values: [String: FieldValue], limit: Int) async throws -> [UUID]

    /// Ids and titles for a picker, by title, at most `limit`.
    func choices(limit: Int) async throws -> [RecordChoice]

    /// Ids and titles of records whose titles begin with the text or have its words in them, the former first, at most
    /// `limit`. Takes a bounded time: of very many records not all are looked at, and the answer says so.
    func choices(matching text: String, limit: Int) async throws -> ChoiceMatches

    /// Ids and titles of these records, of those that exist.
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

    /// Stores one record: new when `version` is nil, else changed from that version.
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
    /// The draft's id; it becomes the change set's.
    package let draft: UUID
    package let author: String
    package let id: UUID
    /// The version that the editor saw; nil for a new record.
    package let version: Int64?
    package let values: [String: FieldValue]
    /// Saved together with the record.
    package let links: [LinkEdit]
    /// Changes of other records that are stored together with it or not at all.
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
