/// The records during a migration, for a stage of a ``SchemaMigrationPlan``: as one version's models have them.
///
/// Everything happens in the one transaction of the migration, on the thread of the store. No delete rules and no
/// validation are applied; what is left pointing nowhere, or does not fit its property, ends the migration, and nothing has
/// changed. None of it stands in the history.
public struct MigrationContext {
    let records: any MigrationRecords

    package init(_ records: any MigrationRecords) {
        self.records = records
    }

    /// The records that the descriptor asks for.
    ///
    /// ```swift
    /// let nameless = try context.fetch(FetchDescriptor<V1.Animal>(predicate: #Predicate { $0.name == "" }))
    /// ```
    ///
    /// - Throws: ``QueryError``, ``FieldValueError``, ``MigrationError``.
    public func fetch<M: Model>(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) throws -> [M] {
        try records.fetch(M.modelName, descriptor.query()).map { try M($0) }
    }

    /// How many records the descriptor asks for.
    ///
    /// - Throws: ``QueryError``, ``MigrationError``.
    public func fetchCount<M: Model>(_ descriptor: FetchDescriptor<M>) throws -> Int {
        try records.count(M.modelName, descriptor.query())
    }

    /// Every record once, in bounded memory. Records may be changed and deleted on the way.
    ///
    /// ```swift
    /// try context.enumerate(V1.Animal.self) { animal in
    ///     var animal = animal
    ///     animal.name = animal.name.trimmingCharacters(in: .whitespaces)
    ///     try context.update(animal)
    /// }
    /// ```
    ///
    /// - Throws: What the body throws, ``FieldValueError``, ``MigrationError``.
    public func enumerate<M: Model>(_ model: M.Type, _ body: (M) throws -> Void) throws {
        try records.enumerate(M.modelName) { try body(M($0)) }
    }

    /// Adds a record.
    ///
    /// - Throws: ``MigrationError``.
    public func insert<M: Model>(_ model: M) throws {
        try records.insert(M.modelName, Record(id: model.id.uuid, version: 0, values: model.storedValues))
    }

    /// Stores the value in place of the record's.
    ///
    /// - Throws: ``MigrationError`` when there is no such record.
    public func update<M: Model>(_ model: M) throws {
        try records.update(M.modelName, Record(id: model.id.uuid, version: 0, values: model.storedValues))
    }

    /// Takes the record away with its links, and nothing else: no delete rule is followed.
    ///
    /// - Throws: ``MigrationError``.
    public func delete<M: Model>(_ model: M) throws {
        try records.delete(M.modelName, model.id.uuid)
    }
}
