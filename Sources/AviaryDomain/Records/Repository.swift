/// Access to the records of one model as Swift values.
///
/// ```swift
/// let animals = try await store.repository(for: Animal.self)
/// try await animals.insert(Animal(name: "Okapi"))
/// let all = try await animals.fetchAll()
/// ```
///
/// Each read sees one committed state of the store. A write returns when it is on disk. Each write is a change set
/// of its own with an id of its own. When you pass this id, you can repeat the call whatever the result of the
/// first: the store commits it once and answers the repetition with the receipt of the first call. Receipts are kept
/// for 8 days.
public struct Repository<M: Model>: Sendable {
    let records: any ModelRecords
    let author: String

    package init(_ records: any ModelRecords, author: String) {
        self.records = records
        self.author = author
    }
}

extension Repository {
    /// Returns all records, sorted by id.
    ///
    /// ```swift
    /// for animal in try await animals.fetchAll() { print(animal.name) }
    /// ```
    ///
    /// - Throws: ``ReadError``; ``FieldValueError`` when a stored value does not fit its property.
    public func fetchAll() async throws -> [M] {
        try await fetch(FetchDescriptor())
    }

    /// Returns the records that match a descriptor, in its order.
    ///
    /// ```swift
    /// let heavy = try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.weight > 100 }))
    /// ```
    ///
    /// - Parameter descriptor: The conditions, order and limits; all records, sorted by id, by default.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``; ``FieldValueError`` when a stored
    ///   value does not fit its property; ``ModelMismatch`` when a related model that the descriptor names does not fit
    ///   the store's file.
    public func fetch(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> [M] {
        try await records.fetch(descriptor.query(), M.init)
    }

    /// Returns the records that match a descriptor, together with the records of its
    /// `relationshipKeyPathsForPrefetching`.
    ///
    /// The store runs one statement for each relation, however many records there are. It reads all records from one
    /// snapshot.
    ///
    /// ```swift
    /// descriptor.relationshipKeyPathsForPrefetching = [\.category]
    /// let results = try await animals.fetchResults(descriptor)
    /// for animal in results { print(animal.name, try results[\.category, of: animal]?.name ?? "") }
    /// ```
    ///
    /// - Parameter descriptor: The conditions, order, limits and relations.
    /// - Throws: ``QueryError`` when the store cannot run the query, or when a key path is not a relation;
    ///   ``ReadError``; ``FieldValueError`` when a stored value does not fit its property; ``ModelMismatch`` when a
    ///   related model does not fit the store's file.
    public func fetchResults(_ descriptor: FetchDescriptor<M>) async throws -> FetchedResults<M> {
        var names: [String] = [], paths: [RelationPath] = []
        for keyPath in descriptor.relationshipKeyPathsForPrefetching {
            paths.append(try M.schema.relation(at: keyPath))
            names.append(M.schema.property(at: keyPath)?.name ?? "")
        }
        let lists = try await records.related(descriptor.query(), by: paths)
        let related = Dictionary(zip(names, lists.related), uniquingKeysWith: { first, _ in first })
        return FetchedResults(records: try lists.records.map(M.init), related: related)
    }

    /// Returns the records that contain every word in one of the properties declared `@Attribute(.fullText)`.
    ///
    /// A word matches as a whole or as a part of a word, without regard to case and accents. Words of three letters or
    /// more use an index.
    ///
    /// ```swift
    /// let found = try await books.search("moby whal")
    /// ```
    ///
    /// - Parameters:
    ///   - words: The words, separated by blanks.
    ///   - limit: The greatest number of records, the first by their ids; nil for all.
    /// - Throws: ``QueryError`` when the model has no property to search in; ``ReadError``; ``FieldValueError`` when a
    ///   stored value does not fit its property.
    public func search(_ words: String, limit: Int? = nil) async throws -> [M] {
        var descriptor = FetchDescriptor<M>()
        descriptor.search = words
        descriptor.fetchLimit = limit
        return try await fetch(descriptor)
    }

    /// Returns the number of records that ``fetch(_:)`` would return.
    ///
    /// ```swift
    /// let count = try await animals.fetchCount(FetchDescriptor(predicate: #Predicate { $0.category == nil }))
    /// ```
    ///
    /// - Parameter descriptor: The conditions and limits; all records by default.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``.
    public func fetchCount(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> Int {
        try await records.count(descriptor.query())
    }

    /// Returns the ids of the records that ``fetch(_:)`` would return, in the same order.
    ///
    /// ```swift
    /// try await animals.delete(ids: Set(animals.fetchIdentifiers(descriptor)))
    /// ```
    ///
    /// - Parameter descriptor: The conditions, order and limits; all records by default.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``.
    public func fetchIdentifiers(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> [M.ID] {
        try await records.identifiers(descriptor.query()).map { RecordID($0) }
    }

    /// Returns the record with the given id, or nil when it does not exist.
    ///
    /// ```swift
    /// let okapi = try await animals.find(id)
    /// ```
    ///
    /// - Parameter id: The id of the record.
    /// - Throws: ``ReadError``; ``FieldValueError`` when a stored value does not fit its property.
    public func find(_ id: M.ID) async throws -> M? {
        try await records.find(id.uuid).map(M.init)
    }
}

extension Repository {
    /// The number of records per page when the descriptor has no limit.
    private static var pageSize: Int { 50 }

    /// Returns a page of the records that match a descriptor.
    ///
    /// The size of the page is the descriptor's `fetchLimit`, or 50 records. Inserting or deleting records between
    /// two calls does not shift the pages: a record that does not change is on exactly one page.
    ///
    /// ```swift
    /// let first = try await animals.fetchPage(descriptor)
    /// let second = try await animals.fetchPage(descriptor, after: first.next)
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The conditions and the order. It has an offset only for the first page, and does not sort by
    ///     a secret property.
    ///   - cursor: The position of the page, from a page of the same conditions and order; nil for the first page.
    /// - Throws: ``QueryError`` when the store cannot run the query, when the cursor is from another fetch, when the
    ///   descriptor violates the rules above, or when its `fetchLimit` is 0; ``ReadError``; ``FieldValueError`` when
    ///   a stored value does not fit its property.
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
    /// record that does not change in the meantime exactly once. It gets a record that is inserted or changed in the
    /// meantime as it was when its batch was read, unless its position was already passed.
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

/// A page of a fetch, with the position of the next page.
///
/// ```swift
/// var page = try await animals.fetchPage(descriptor)
/// while let next = page.next { page = try await animals.fetchPage(descriptor, after: next) }
/// ```
public struct FetchedPage<M: Model>: Sendable {
    /// The records of the page, in the order of the descriptor.
    public let records: [M]
    /// The position of the next page; nil when no more records follow.
    public let next: FetchCursor?
}
