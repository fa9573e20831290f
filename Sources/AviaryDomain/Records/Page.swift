public import Foundation

/// A page of the records of a list, with the positions of the neighbouring pages.
///
/// All parts are from one committed state of the store.
package struct Page: Sendable {
    /// The records in the order of the list, with the titles of the records that they refer to.
    package let records: [Record]
    /// The end of the previous page; nil on the first page.
    package let previous: KeysetPosition?
    /// The beginning of the next page; nil on the last page.
    package let next: KeysetPosition?
    /// The exact number of all records of the model.
    package let total: Int
    /// The number of records that fulfil the conditions; nil without conditions.
    package let matches: MatchCount?
    /// The related records of the to-many properties that the request names, by property and record.
    package let related: [String: [UUID: RelatedSummary]]

    package init(
        records: [Record], previous: KeysetPosition?, next: KeysetPosition?, total: Int, matches: MatchCount? = nil,
        related: [String: [UUID: RelatedSummary]] = [:]
    ) {
        self.records = records
        self.matches = matches
        self.related = related
        self.previous = previous
        self.next = next
        self.total = total
    }
}

package enum SortDirection: Sendable, Hashable {
    case ascending, descending
}

package struct ListOrder: Sendable, Hashable {
    package let property: String
    package let direction: SortDirection

    package init(property: String, direction: SortDirection) {
        self.property = property
        self.direction = direction
    }
}

/// The position of a record in a sorted list, for keyset pagination. It stays valid when records are added or
/// deleted.
package struct KeysetPosition: Sendable, Hashable {
    package let value: FieldValue
    package let id: UUID

    package init(value: FieldValue, id: UUID) {
        self.value = value
        self.id = id
    }
}

package enum PageCursor: Sendable, Hashable {
    case after(KeysetPosition)
    case before(KeysetPosition)
}

/// The conditions, order and position of the records of a list page.
package struct PageRequest: Sendable, Hashable {
    package let sort: ListOrder
    package let cursor: PageCursor?
    package let size: Int
    /// The conditions, all of which the records fulfil; empty for all records.
    package let conditions: [QueryExpression]
    /// The to-many properties whose related records the page shows.
    package let relations: [String]
    /// The number of related records whose titles the page shows, for each record and property.
    package let relatedTitles: Int

    package init(
        sort: ListOrder, cursor: PageCursor? = nil, size: Int = 50, conditions: [QueryExpression] = [],
        relations: [String] = [], relatedTitles: Int = 0
    ) {
        self.sort = sort
        self.relations = relations
        self.relatedTitles = relatedTitles
        self.conditions = conditions
        self.cursor = cursor
        self.size = size
    }
}

/// A stored record without its Swift type, as the store, the admin and snapshots handle it.
public struct Record: Sendable, Hashable, Codable, Identifiable {
    /// The id of the record.
    public let id: UUID

    /// The number of the commit that last changed the record.
    ///
    /// It only increases, also across delete and undo, so an outdated version never equals the current one.
    public let version: Int64
    /// The values, in the order of ``ModelSchema/storedProperties``.
    public let values: [FieldValue]
    /// The titles of the referenced records: for each to-one property the title, nil for the other properties. Empty
    /// unless requested.
    public let referenceTitles: [String?]

    package init(id: UUID, version: Int64, values: [FieldValue], referenceTitles: [String?] = []) {
        self.id = id
        self.version = version
        self.values = values
        self.referenceTitles = referenceTitles
    }

    package func referenceTitle(at index: Int) -> String? {
        index < referenceTitles.count ? referenceTitles[index] : nil
    }
}

extension Record {
    package func value(_ property: String, in schema: ModelSchema) -> FieldValue {
        guard let index = schema.storedIndex(of: property), index < values.count else { return .null }
        return values[index]
    }
}

/// The identity of a record of any model.
package struct RecordKey: Sendable, Hashable {
    package let model: String
    package let id: UUID

    package init(model: String, id: UUID) {
        self.model = model
        self.id = id
    }
}
