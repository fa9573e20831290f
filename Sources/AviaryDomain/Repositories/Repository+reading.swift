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
        try await records.fetch(descriptor.query(), Self.model)
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
        try await records.find(id.uuid).map(Self.model)
    }

    static func model(_ record: Record) throws -> M {
        var reader = FieldReader(record)
        return try M(from: &reader)
    }
}
