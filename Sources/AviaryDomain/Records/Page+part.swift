package import Foundation

/// Some records of a list, and where the neighbouring pages begin.
///
/// All of it is of one committed state of the store.
package struct Page: Sendable {
    /// The records in the order of the list, with the titles of the records that they refer to.
    package let records: [Record]
    /// The end of the previous page; nil on the first page.
    package let previous: KeysetPosition?
    /// The beginning of the next page; nil on the last page.
    package let next: KeysetPosition?
    /// All records of the model, exactly.
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
