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
    /// - Parameter descriptor: The conditions, order and limits.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``; ``FieldValueError`` when a stored
    ///   value does not fit its property; ``ModelMismatch`` when a related model that the descriptor names does not fit
    ///   the store's file.
    public func fetch(_ descriptor: FetchDescriptor<M>) async throws -> [M] {
        try await records.fetch(descriptor.query(), M.init)
    }

    /// Returns the records that match a descriptor, together with the records of its
    /// `relationshipKeyPathsForPrefetching`.
    ///
    /// The store runs one statement for each relation, however many records there are. All records are read at one
    /// moment.
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
