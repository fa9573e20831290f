import Foundation

extension RecordQuery {
    /// - Throws: ``QueryError`` when the cursor is of another query.
    package func after(_ cursor: FetchCursor, of schema: ModelSchema) throws(QueryError) -> RecordQuery {
        guard cursor.digest == QueryDigest(self, of: schema).value, cursor.values.count == order.count else {
            throw QueryError(
                model: schema.name, expression: "A cursor",
                advice: "is of another fetch. Begin with the first page when the predicate or the order changes."
            )
        }
        var query = self
        let keys =
            zip(order, cursor.values).map { (key: $0, value: $1) } + [(key: SortKey(.id), value: cursor.id.fieldValue)]
        if let (key, value) = keys.first, let bound = key.lowerBound(value) { query.add(bound) }
        query.add(Self.beyond(keys[...]))
        return query
    }

    /// Returns the condition of records that follow the values: by the first key, or equal in it and following by the
    /// other keys.
    private static func beyond(_ keys: ArraySlice<(key: SortKey, value: FieldValue)>) -> QueryExpression {
        guard let (key, value) = keys.first else { return .false }
        let rest = keys.dropFirst()
        guard !rest.isEmpty else { return key.beyond(value) }
        return .or(key.beyond(value), .and(.equal(key.expression, .constant(value)), beyond(rest)))
    }
}

extension SortKey {
    /// Nulls are least.
    fileprivate func beyond(_ value: FieldValue) -> QueryExpression {
        switch (direction, value.isNull) {
        case (.ascending, true): .not(.equal(expression, .nil))
        case (.ascending, false): .ordered(.greater, expression, .constant(value))
        case (.descending, true): .false
        case (.descending, false): .or(.ordered(.less, expression, .constant(value)), .equal(expression, .nil))
        }
    }

    /// Returns a redundant condition that lets an index begin at the start of the page.
    fileprivate func lowerBound(_ value: FieldValue) -> QueryExpression? {
        direction == .ascending && !value.isNull ? .ordered(.greaterOrEqual, expression, .constant(value)) : nil
    }
}
