extension Repository {
    /// Every record, in the order of their ids.
    ///
    /// ```swift
    /// for animal in try await animals.fetchAll() { print(animal.name) }
    /// ```
    ///
    /// - Throws: ``ReadError``.
    public func fetchAll() async throws -> [M] {
        try await fetch(FetchDescriptor())
    }

    /// The records that the descriptor asks for, in its order.
    ///
    /// ```swift
    /// let heavy = try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.weight > 100 }))
    /// ```
    ///
    /// - Throws: ``QueryError`` when the store cannot be asked so; ``ReadError``.
    public func fetch(_ descriptor: FetchDescriptor<M>) async throws -> [M] {
        try await records.fetch(descriptor.query(), M.init)
    }

    /// The records that the descriptor asks for, with the records that its `relationshipKeyPathsForPrefetching` lead to. Each
    /// relation takes one statement, however many records there are, and all are of one moment.
    ///
    /// ```swift
    /// descriptor.relationshipKeyPathsForPrefetching = [\.category]
    /// let results = try await animals.fetchResults(descriptor)
    /// for animal in results { print(animal.name, try results[\.category, of: animal]?.name ?? "") }
    /// ```
    ///
    /// - Throws: ``QueryError`` when the store cannot be asked so, or a key path is no relation; ``ReadError``.
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

    /// The records in which every word stands, in one of the properties that are declared `@Attribute(.fullText)`: in part or
    /// whole, without regard to case and accents. Words of three letters and more are found by an index.
    ///
    /// ```swift
    /// let found = try await books.search("moby whal")
    /// ```
    ///
    /// - Parameter limit: At most so many, the first by their ids; nil for all.
    /// - Throws: ``QueryError`` when the model declares nothing to be searched; ``ReadError``.
    public func search(_ words: String, limit: Int? = nil) async throws -> [M] {
        var descriptor = FetchDescriptor<M>()
        descriptor.search = words
        descriptor.fetchLimit = limit
        return try await fetch(descriptor)
    }

    /// How many records ``fetch(_:)`` would return.
    ///
    /// ```swift
    /// let count = try await animals.fetchCount(FetchDescriptor(predicate: #Predicate { $0.category == nil }))
    /// ```
    ///
    /// - Throws: ``QueryError`` when the store cannot be asked so; ``ReadError``.
    public func fetchCount(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> Int {
        try await records.count(descriptor.query())
    }

    /// The ids of the records that ``fetch(_:)`` would return, in the same order.
    ///
    /// ```swift
    /// try await animals.delete(ids: Set(animals.fetchIdentifiers(descriptor)))
    /// ```
    ///
    /// - Throws: ``QueryError`` when the store cannot be asked so; ``ReadError``.
    public func fetchIdentifiers(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> [M.ID] {
        try await records.identifiers(descriptor.query()).map { RecordID($0) }
    }

    /// The record, or nil when it does not exist.
    ///
    /// ```swift
    /// let okapi = try await animals.find(id)
    /// ```
    ///
    /// - Throws: ``ReadError``.
    public func find(_ id: M.ID) async throws -> M? {
        try await records.find(id.uuid).map(M.init)
    }
}
