extension Repository {
    /// Pages of a descriptor that names no limit.
    private static var pageSize: Int { 50 }

    /// Returns a page of the records that match a descriptor.
    ///
    /// The size of the page is the descriptor's `fetchLimit`, or 50 records. Inserting or deleting records between two
    /// calls does not shift the pages: a record that does not change is on exactly one page.
    ///
    /// ```swift
    /// let first = try await animals.fetchPage(descriptor)
    /// let second = try await animals.fetchPage(descriptor, after: first.next)
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The conditions and the order. It has an offset only for the first page, and does not sort by a
    ///     secret property.
    ///   - cursor: The position of the page, from a page of the same conditions and order; nil for the first page.
    /// - Throws: ``QueryError`` when the store cannot run the query, when the cursor is from another fetch, when the
    ///   descriptor breaks the rules above, or when its `fetchLimit` is 0; ``ReadError``;
    ///   ``FieldValueError`` when a stored value does not fit its property.
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

    /// Calls a closure with each record that matches a descriptor, and holds only one batch of records in memory.
    ///
    /// The method reads each batch separately, after the last record of the previous batch. The closure gets each
    /// record that does not change meanwhile exactly once. A record that is inserted or changed meanwhile is passed as
    /// it was when its batch was read, if its position had not been passed.
    ///
    /// ```swift
    /// try await animals.enumerate(FetchDescriptor()) { animal in try file.write(animal.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The conditions, order and limits; all records by default.
    ///   - batchSize: The number of records to read at once, greater than 0.
    ///   - body: A closure that takes a record. An error that it throws ends the enumeration.
    /// - Throws: ``QueryError`` when the store cannot run the query, or when `batchSize` is not positive;
    ///   ``ReadError``; ``FieldValueError`` when a stored value does not fit its property; the error of the closure.
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

    /// Returns a page and the position of the next. It reads one more record, to see whether there is a next page.
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
