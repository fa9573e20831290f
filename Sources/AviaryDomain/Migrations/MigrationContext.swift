/// Access to the records during a migration, with the models of one version, for a stage of a ``SchemaMigrationPlan``.
///
/// All calls run in the one transaction of the migration, on the store's thread. The context applies neither delete
/// rules nor validation. A reference that points nowhere at the end, or a value that does not fit its property, ends
/// the migration, and nothing has changed. The history does not contain changes of a migration.
public struct MigrationContext {
    let records: any MigrationRecords

    package init(_ records: any MigrationRecords) {
        self.records = records
    }

    /// Returns the records that match a descriptor.
    ///
    /// ```swift
    /// let nameless = try context.fetch(FetchDescriptor<V1.Animal>(predicate: #Predicate { $0.name == "" }))
    /// ```
    ///
    /// - Parameter descriptor: The conditions, order and limits; all records by default.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``FieldValueError`` when a stored value does not
    ///   fit its property; ``MigrationError`` when the version does not have the model.
    public func fetch<M: Model>(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) throws -> [M] {
        try records.fetch(M.modelName, descriptor.query()).map { try M($0) }
    }

    /// Returns the number of records that match a descriptor.
    ///
    /// - Parameter descriptor: The conditions and limits.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``MigrationError`` when the version does not have
    ///   the model.
    public func fetchCount<M: Model>(_ descriptor: FetchDescriptor<M>) throws -> Int {
        try records.count(M.modelName, descriptor.query())
    }

    /// Calls a closure once with each record of a model, in bounded memory.
    ///
    /// ```swift
    /// try context.enumerate(V1.Animal.self) { animal in
    ///     var animal = animal
    ///     animal.name = animal.name.trimmingCharacters(in: .whitespaces)
    ///     try context.update(animal)
    /// }
    /// ```
    ///
    /// The closure may update and delete records. The enumeration does not visit records that the closure inserts.
    ///
    /// - Parameters:
    ///   - model: A model of the version.
    ///   - body: A closure that takes a record.
    /// - Throws: The error of the closure; ``FieldValueError`` when a stored value does not fit its property;
    ///   ``MigrationError`` when the version does not have the model.
    public func enumerate<M: Model>(_ model: M.Type, _ body: (M) throws -> Void) throws {
        try records.enumerate(M.modelName) { try body(M($0)) }
    }

    /// Inserts a record.
    ///
    /// - Parameter model: The record to insert, with an id that no record of the model has.
    /// - Throws: ``MigrationError`` when a record with this id exists, when a value does not fit its property, or when
    ///   the version does not have the model.
    public func insert<M: Model>(_ model: M) throws {
        try records.insert(M.modelName, Record(id: model.id.uuid, version: 0, values: model.storedValues))
    }

    /// Replaces all values of a record.
    ///
    /// - Parameter model: The new values, with the id of the record to replace.
    /// - Throws: ``MigrationError`` when no record has this id, when a value does not fit its property, or when the
    ///   version does not have the model.
    public func update<M: Model>(_ model: M) throws {
        try records.update(M.modelName, Record(id: model.id.uuid, version: 0, values: model.storedValues))
    }

    /// Deletes a record and its links. No delete rule applies.
    ///
    /// - Parameter model: The record to delete.
    /// - Throws: ``MigrationError`` when no record has this id, or when the version does not have the model.
    public func delete<M: Model>(_ model: M) throws {
        try records.delete(M.modelName, model.id.uuid)
    }
}
