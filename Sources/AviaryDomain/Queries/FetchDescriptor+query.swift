import Foundation

extension FetchDescriptor {
    /// - Throws: ``QueryError``.
    package func query() throws(QueryError) -> RecordQuery {
        var query = RecordQuery(limit: fetchLimit, offset: fetchOffset ?? 0)
        guard (query.limit ?? 0) >= 0, query.offset >= 0 else {
            throw error("A fetch limit or offset", "is negative. Leave it out to fetch all records.")
        }
        if let predicate { query.condition = try QueryTranslation.expression(of: predicate) }
        for related in related { query.add(try related.expression()) }
        if let search { query.add(try M.schema.searchExpression(for: search)) }
        for descriptor in sortBy { query.order.append(try sortKey(descriptor)) }
        return query
    }

    private func sortKey(_ descriptor: SortDescriptor<M>) throws(QueryError) -> SortKey {
        let direction: SortDirection = descriptor.order == .forward ? .ascending : .descending
        guard let keyPath = descriptor.keyPath else { throw error("What is not stored", Self.orderAdvice) }
        guard let property = M.schema.property(at: keyPath) else {
            for property in M.schema.storedProperties {
                if let rank = property.rank(at: keyPath) { return SortKey(rank, direction) }
            }
            throw error("What is not stored", Self.orderAdvice)
        }
        let name = "\(M.schema.name).\(property.name)"
        guard let expression = QueryExpression.property(property.name).ordered(as: type(of: keyPath).valueType) else {
            throw error(name, Self.orderAdvice)
        }
        guard descriptor.comparesAsStored else {
            throw error(
                name,
                "is sorted by the rules of a language, which the store does not know. Write SortDescriptor(\\.\(property.name)), or sort the result in memory."
            )
        }
        return SortKey(expression, direction)
    }

    private static var orderAdvice: String {
        "cannot be sorted by. Sort by a stored text, number, date, truth value, choice or UUID, or sort the result in memory."
    }

    private func error(_ expression: String, _ advice: String) -> QueryError {
        QueryError(model: M.schema.name, expression: expression, advice: advice)
    }
}

extension RecordQuery {
    package mutating func add(_ condition: QueryExpression) {
        self.condition = self.condition.map { .and($0, condition) } ?? condition
    }
}

extension SortDescriptor {
    fileprivate var comparesAsStored: Bool {
        stringComparator.map { $0 == .lexical } ?? true
    }
}
