import Foundation

extension FetchDescriptor {
    /// - Throws: ``QueryError``.
    package func query() throws(QueryError) -> RecordQuery {
        var query = RecordQuery(limit: fetchLimit, offset: fetchOffset ?? 0)
        guard (query.limit ?? 0) >= 0, query.offset >= 0 else {
            throw error("A fetch limit or offset", "is negative. Leave it out to fetch all records.")
        }
        if let predicate { query.condition = try QueryTranslation.expression(of: predicate) }
        for descriptor in sortBy { query.order.append(try order(descriptor)) }
        return query
    }

    private func order(_ descriptor: SortDescriptor<M>) throws(QueryError) -> ListOrder {
        guard let keyPath = descriptor.keyPath, let property = M.schema.property(at: keyPath),
              isOrderedAsStored(type(of: keyPath).valueType)
        else {
            throw error(
                descriptor.keyPath.flatMap(M.schema.property(at:)).map { "\(M.schema.name).\($0.name)" } ?? "What is not stored",
                "cannot be sorted by. Sort by a stored text, number, date or UUID, or sort the result in memory."
            )
        }
        guard descriptor.comparesAsStored else {
            throw error(
                "\(M.schema.name).\(property.name)", "is sorted by the rules of a language, which the store does not know. Write SortDescriptor(\\.\(property.name)), or sort the result in memory."
            )
        }
        return ListOrder(property: property.name, direction: descriptor.order == .forward ? .ascending : .descending)
    }

    private func error(_ expression: String, _ advice: String) -> QueryError {
        QueryError(model: M.schema.name, expression: expression, advice: advice)
    }
}

extension SortDescriptor {
    fileprivate var comparesAsStored: Bool {
        stringComparator.map { $0 == .lexical } ?? true
    }
}
