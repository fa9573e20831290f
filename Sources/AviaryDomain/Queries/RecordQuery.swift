/// The conditions, order and limits of a fetch: a ``FetchDescriptor`` as data.
package struct RecordQuery: Sendable, Hashable {
    package var condition: QueryExpression?
    /// The sort keys, with the most significant first. Records that are equal in all of them are sorted by their ids.
    package var order: [SortKey]
    /// The greatest number of records; nil for all.
    package var limit: Int?
    package var offset: Int

    package init(condition: QueryExpression? = nil, order: [SortKey] = [], limit: Int? = nil, offset: Int = 0) {
        self.condition = condition
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
