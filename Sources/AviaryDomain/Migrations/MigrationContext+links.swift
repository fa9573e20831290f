extension MigrationContext {
    /// The records that a record is linked with by a many-to-many property, of either side, in the order of their ids.
    ///
    /// ```swift
    /// let authors = try context.links(of: book.id, \V1.Book.authors)
    /// ```
    ///
    /// - Returns: Empty also when there is no such record.
    /// - Throws: ``MigrationError`` when the property is no many-to-many relation of the version.
    public func links<M: Model, Other: Model>(
        of id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable
    ) throws -> [RecordID<Other>] {
        try records.links(of: id.uuid, try M.relation(property)).map(RecordID.init)
    }

    /// Every link of a many-to-many property once, in bounded memory. Links may be made and ended on the way; whether those
    /// that are made are seen too is not said. One of a symmetric relation is seen from one of its records.
    ///
    /// ```swift
    /// try context.enumerateLinks(\V1.Book.authors) { book, author in
    ///     if spirits.contains(author) { try context.unlink(book, \.authors, from: [author]) }
    /// }
    /// ```
    ///
    /// - Throws: What the body throws; ``MigrationError`` when the property is no many-to-many relation of the version.
    public func enumerateLinks<M: Model, Other: Model>(
        _ property: any KeyPath<M, Related<Other>> & Sendable, _ body: (RecordID<M>, RecordID<Other>) throws -> Void
    ) throws {
        try records.enumerateLinks(try M.relation(property)) { try body(RecordID($0), RecordID($1)) }
    }

    /// Links the record with others by a many-to-many property. Those that are linked already stay so.
    ///
    /// ```swift
    /// try context.link(book.id, \V2.Book.authors, with: [author.id])
    /// ```
    ///
    /// - Throws: ``MigrationError`` when one of the records does not exist, or the property is no many-to-many relation of the
    ///   version.
    public func link<M: Model, Other: Model>(
        _ id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable, with others: Set<RecordID<Other>>
    ) throws {
        let relation = try M.relation(property)
        for other in others { try records.link(id.uuid, other.uuid, relation) }
    }

    /// Ends links of the record. Where there is none, nothing changes.
    ///
    /// ```swift
    /// try context.unlink(book.id, \V1.Book.authors, from: [author.id])
    /// ```
    ///
    /// - Throws: ``MigrationError`` when the property is no many-to-many relation of the version.
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
