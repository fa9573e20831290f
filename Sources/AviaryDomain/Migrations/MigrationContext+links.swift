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
