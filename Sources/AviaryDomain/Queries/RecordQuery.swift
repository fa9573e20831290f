import Foundation

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

/// An expression to sort by. Its value can also be computed from a record.
package struct SortKey: Sendable, Hashable {
    /// The id, a property, or the rank of a choice.
    package let expression: QueryExpression
    package let direction: SortDirection

    package init(_ expression: QueryExpression, _ direction: SortDirection = .ascending) {
        self.expression = expression
        self.direction = direction
    }

    /// Returns the value of the key for a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - schema: The model of the record.
    func value(of record: Record, in schema: ModelSchema) -> FieldValue {
        switch expression {
        case .id: record.id.fieldValue
        case .property(let name): record.value(name, in: schema)
        case .mapped(.property(let name), let values): values[record.value(name, in: schema)] ?? .null
        default: .null
        }
    }
}

extension RecordQuery {
    /// Returns the query for the page after a cursor.
    ///
    /// - Throws: ``QueryError`` when the cursor belongs to another query.
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
    /// Returns the condition that this key follows a value. Null precedes all other values.
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
