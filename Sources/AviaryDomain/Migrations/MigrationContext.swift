package import Foundation

/// Access to the records during a migration, with the models of one version, for a stage of a
/// ``SchemaMigrationPlan``.
///
/// All calls run in the single transaction of the migration, on the store's thread. The context applies neither
/// delete rules nor validation. A reference to a missing record at the end, or a value that does not fit its
/// property, ends the migration, and nothing has changed. The history does not contain changes of a migration.
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

extension MigrationContext {
    /// Returns the ids of the records that a record is linked with by a many-to-many property, sorted by id.
    ///
    /// ```swift
    /// let authors = try context.links(of: book.id, \V1.Book.authors)
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A many-to-many property, of either side.
    /// - Returns: The ids; an empty array also when the record does not exist.
    /// - Throws: ``MigrationError`` when the property is not a many-to-many relation of the version.
    public func links<M: Model, Other: Model>(
        of id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable
    ) throws -> [RecordID<Other>] {
        try records.links(of: id.uuid, try M.relation(property)).map(RecordID.init)
    }

    /// Calls a closure once with each link of a many-to-many property, in bounded memory.
    ///
    /// ```swift
    /// try context.enumerateLinks(\V1.Book.authors) { book, author in
    ///     if spirits.contains(author) { try context.unlink(book, \.authors, from: [author]) }
    /// }
    /// ```
    ///
    /// The closure may add and remove links. It is unspecified whether the enumeration visits links that it adds. A
    /// link of a symmetric relation is visited once, from one of its records.
    ///
    /// - Parameters:
    ///   - property: A many-to-many property, of either side.
    ///   - body: A closure that takes the id of the record that has the property, and the id of the other record.
    /// - Throws: The error of the closure; ``MigrationError`` when the property is not a many-to-many relation of the
    ///   version.
    public func enumerateLinks<M: Model, Other: Model>(
        _ property: any KeyPath<M, Related<Other>> & Sendable, _ body: (RecordID<M>, RecordID<Other>) throws -> Void
    ) throws {
        try records.enumerateLinks(try M.relation(property)) { try body(RecordID($0), RecordID($1)) }
    }

    /// Links a record with others by a many-to-many property.
    ///
    /// ```swift
    /// try context.link(book.id, \V2.Book.authors, with: [author.id])
    /// ```
    ///
    /// Existing links are unchanged.
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A many-to-many property, of either side.
    ///   - others: The ids of the records to link it with.
    /// - Throws: ``MigrationError`` when one of the records does not exist, or when the property is not a many-to-many
    ///   relation of the version.
    public func link<M: Model, Other: Model>(
        _ id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable, with others: Set<RecordID<Other>>
    ) throws {
        let relation = try M.relation(property)
        for other in others { try records.link(id.uuid, other.uuid, relation) }
    }

    /// Removes links of a record.
    ///
    /// ```swift
    /// try context.unlink(book.id, \V1.Book.authors, from: [author.id])
    /// ```
    ///
    /// An id that the record is not linked with has no effect.
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A many-to-many property, of either side.
    ///   - others: The ids of the records on the other side of the links.
    /// - Throws: ``MigrationError`` when the property is not a many-to-many relation of the version.
    public func unlink<M: Model, Other: Model>(
        _ id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable, from others: Set<RecordID<Other>>
    ) throws {
        let relation = try M.relation(property)
        for other in others { try records.unlink(id.uuid, other.uuid, relation) }
    }
}

/// A to-many property by its name.
package struct RelationName: Sendable, Hashable, CustomStringConvertible {
    package let model: String
    package let property: String

    package var description: String { "\(model).\(property)" }
}

extension Model {
    fileprivate static func relation(_ keyPath: AnyKeyPath) throws(MigrationError) -> RelationName {
        guard let property = schema.property(at: keyPath) else { throw .unknownRelation("\(modelName).\(keyPath)") }
        return RelationName(model: modelName, property: property.name)
    }
}

/// The tables of one version in the open transaction of a migration, which a ``MigrationContext`` uses.
package protocol MigrationRecords {
    func fetch(_ model: String, _ query: RecordQuery) throws -> [Record]
    func count(_ model: String, _ query: RecordQuery) throws -> Int
    func enumerate(_ model: String, _ body: (Record) throws -> Void) throws
    /// Inserts a record.
    ///
    /// - Parameters:
    ///   - model: The name of the model.
    ///   - record: The record. Its version is ignored.
    func insert(_ model: String, _ record: Record) throws
    func update(_ model: String, _ record: Record) throws
    /// Deletes a record with its links.
    func delete(_ model: String, _ id: UUID) throws

    // The links of a many-to-many property, of either side.

    func links(of id: UUID, _ relation: RelationName) throws -> [UUID]
    func enumerateLinks(_ relation: RelationName, _ body: (UUID, UUID) throws -> Void) throws
    func link(_ id: UUID, _ other: UUID, _ relation: RelationName) throws
    func unlink(_ id: UUID, _ other: UUID, _ relation: RelationName) throws
}
