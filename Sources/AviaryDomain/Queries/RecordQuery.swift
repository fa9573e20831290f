/// Which records of a model to fetch, and in which order: a ``FetchDescriptor`` as data.
package struct RecordQuery: Sendable, Hashable {
    package var condition: QueryExpression?
    /// What counts first stands first. Records that are equal in all of it are in the order of their ids.
    package var order: [SortKey]
    /// Nil for all.
    package var limit: Int?
    package var offset: Int

    package init(condition: QueryExpression? = nil, order: [SortKey] = [], limit: Int? = nil, offset: Int = 0) {
        self.condition = condition
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
