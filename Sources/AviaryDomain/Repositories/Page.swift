/// Some records of a list, and where the neighbouring pages begin.
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

    package init(
        records: [Record], previous: KeysetPosition?, next: KeysetPosition?, total: Int, matches: MatchCount? = nil
    ) {
        self.records = records
        self.matches = matches
        self.previous = previous
        self.next = next
        self.total = total
    }
}
