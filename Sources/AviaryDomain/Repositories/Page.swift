/// Some records of a list, and where the neighbouring pages begin.
package struct Page: Sendable {
    /// In list order, with the titles of what they refer to.
    package let records: [Record]
    /// Where the page before this one ends; nil on the first page.
    package let previous: KeysetPosition?
    /// Where the next page begins; nil on the last page.
    package let next: KeysetPosition?
    /// All records of the model, exactly.
    package let total: Int
    /// How many of them the conditions hold for; nil where there are none.
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
