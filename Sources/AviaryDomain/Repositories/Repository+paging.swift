extension Repository {
    /// Pages of a descriptor that names no limit.
    private static var pageSize: Int { 50 }

    /// A page of the records that the descriptor asks for: as many as its `fetchLimit`, or 50. What is added or deleted while
    /// somebody turns pages shifts none of them: a record that stays as it is comes once.
    ///
    /// ```swift
    /// let first = try await animals.fetchPage(descriptor)
    /// let second = try await animals.fetchPage(descriptor, after: first.next)
    /// ```
    ///
    /// - Parameter cursor: Where it begins, from a page of the same predicate and order; nil for the first page.
    /// - Throws: ``QueryError`` when the store cannot be asked so, or the cursor is of another fetch; ``ReadError``.
    public func fetchPage(_ descriptor: FetchDescriptor<M>, after cursor: FetchCursor? = nil) async throws
        -> FetchedPage<M>
    {
        let query = try descriptor.query()
        guard cursor == nil || query.offset == 0 else {
            throw QueryError(
                model: M.schema.name, expression: "A fetch offset",
                advice: "does not go with a cursor, which says where the page begins.")
        }
        for property in M.schema.storedProperties where property.isSecret {
            guard !query.order.contains(where: { $0.expression == .property(property.name) }) else {
                throw QueryError(
                    model: M.schema.name, expression: "Pages sorted by \(property.name)",
                    advice: "would show it in their cursors. Sort by what is no secret."
                )
            }
        }
        let size = query.limit ?? Self.pageSize
        guard size > 0 else {
            throw QueryError(
                model: M.schema.name, expression: "A page of no records",
                advice: "leads nowhere. Set a fetchLimit above 0.")
        }
        let (records, next) = try await page(query, size: size, after: cursor)
        return FetchedPage(records: try records.map(M.init), next: next)
    }

    /// Hands over all records that the descriptor asks for, one after the other, and holds only a batch of them in memory.
    ///
    /// Each batch is read by itself, behind the last one: a record that nobody changes meanwhile comes exactly once, and one
    /// that is added or changed meanwhile comes as it was when its batch was read, if it was still ahead.
    ///
    /// ```swift
    /// try await animals.enumerate(FetchDescriptor()) { animal in try file.write(animal.name) }
    /// ```
    ///
    /// - Parameter batchSize: How many to read at once.
    /// - Throws: ``QueryError`` when the store cannot be asked so; ``ReadError``; what the body throws, which ends it.
    public func enumerate(
        _ descriptor: FetchDescriptor<M> = FetchDescriptor(), batchSize: Int = 5000, _ body: (M) async throws -> Void
    ) async throws {
        var query = try descriptor.query()
        guard batchSize > 0 else {
            throw QueryError(
                model: M.schema.name, expression: "A batch of no records",
                advice: "leads nowhere. Name a batchSize above 0.")
        }
        var left = query.limit ?? .max
        var cursor: FetchCursor?
        while left > 0 {
            let (records, next) = try await page(query, size: min(batchSize, left), after: cursor)
            for record in records { try await body(M(record)) }
            guard let next else { return }
            left -= records.count
            cursor = next
            query.offset = 0
        }
    }

    /// One more is read, to see whether there is one.
    private func page(
        _ query: RecordQuery, size: Int, after cursor: FetchCursor?
    ) async throws -> (records: [Record], next: FetchCursor?) {
        var part = try cursor.map { (cursor) throws(QueryError) in try query.after(cursor, of: M.schema) } ?? query
        part.limit = size < .max ? size + 1 : nil
        let found = try await self.records.fetch(part) { $0 }
        let records = Array(found.prefix(size))
        let next = found.count > size ? records.last.map { FetchCursor(after: $0, of: query, M.schema) } : nil
        return (records, next)
    }
}
