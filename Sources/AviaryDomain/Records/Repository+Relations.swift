public import Foundation

extension Repository {
    /// Returns the records of a to-many property, sorted by id.
    ///
    /// These are the records whose references point to the given record, or the records that it is linked with.
    ///
    /// ```swift
    /// let authors = try await books.related(\.authors, to: emma.id)
    /// ```
    ///
    /// - Parameters:
    ///   - property: A to-many property of the model.
    ///   - id: The id of the record that has the property.
    /// - Returns: The related records; an empty array also when the record does not exist.
    /// - Throws: ``QueryError`` when the property has no inverse; ``ReadError``; ``FieldValueError`` when a stored
    ///   value does not fit its property; ``ModelMismatch`` when the related model does not fit the store's file.
    public func related<Other: Model>(
        _ property: any KeyPath<M, Related<Other>> & Sendable, to id: M.ID
    ) async throws -> [Other] {
        try await related(property, to: [id])[id] ?? []
    }

    /// Returns the records of a to-many property for many records.
    ///
    /// The store runs two statements, however many records there are. It reads all records from one snapshot. For
    /// one record, use ``related(_:to:)-(_,M.ID)``.
    ///
    /// ```swift
    /// let authors = try await books.related(\.authors, to: page.map(\.id))
    /// for book in page { print(book.title, authors[book.id, default: []].map(\.name)) }
    /// ```
    ///
    /// - Parameters:
    ///   - property: A to-many property of the model.
    ///   - ids: The ids of the records that have the property.
    /// - Returns: An entry for each record that exists, with its related records sorted by id.
    /// - Throws: ``QueryError`` when the property has no inverse; ``ReadError``; ``FieldValueError`` when a stored
    ///   value does not fit its property; ``ModelMismatch`` when the related model does not fit the store's file.
    public func related<Other: Model>(
        _ property: any KeyPath<M, Related<Other>> & Sendable, to ids: some Collection<M.ID>
    ) async throws -> [M.ID: [Other]] {
        let path = try M.schema.relation(at: property)
        let query = RecordQuery(condition: .isMember(.id, of: ids.map { .text($0.description) }))
        let found = try await records.related(query, by: [path]).related.first ?? [:]
        var related: [M.ID: [Other]] = [:]
        for (id, records) in found { related[RecordID(id)] = try records.map(Other.init) }
        return related
    }

    /// Links a record with others by a many-to-many property. Existing links are unchanged.
    ///
    /// ```swift
    /// try await books.link(emma.id, \.authors, with: [jane.id])
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A many-to-many property of the model.
    ///   - others: The ids of the records to link it with.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError``: `missingReference` when one of the records does not exist, `relatedCount` when a
    ///   record would have more links than its property allows.
    @discardableResult
    public func link<Other: Model>(
        _ id: M.ID, _ property: any KeyPath<M, Related<Other>> & Sendable, with others: Set<Other.ID>,
        changeSet: UUID? = nil
    ) async throws -> Receipt {
        try await submit(others.inOrder().map { .link(id, property, $0) }, changeSet)
    }

    /// Removes links of a record. An id that the record is not linked with has no effect.
    ///
    /// ```swift
    /// try await books.unlink(emma.id, \.authors, from: [jane.id])
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A many-to-many property of the model.
    ///   - others: The ids of the records on the other side of the links.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError``: `relatedCount` when a record would have fewer links than its property requires.
    @discardableResult
    public func unlink<Other: Model>(
        _ id: M.ID, _ property: any KeyPath<M, Related<Other>> & Sendable, from others: Set<Other.ID>,
        changeSet: UUID? = nil
    ) async throws -> Receipt {
        try await submit(others.inOrder().map { .unlink(id, property, $0) }, changeSet)
    }

    /// Links a record with exactly the given records by a many-to-many property.
    ///
    /// The method removes the other links of the record and adds the missing ones. A link that another writer adds
    /// at the same moment remains.
    ///
    /// ```swift
    /// try await books.replaceLinks(of: emma.id, \.authors, with: [jane.id, james.id])
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A many-to-many property of the model.
    ///   - others: The ids of the records that it is linked with afterwards.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError`` as ``link(_:_:with:changeSet:)`` and ``unlink(_:_:from:changeSet:)`` do;
    ///   ``QueryError`` when the property has no inverse; ``ReadError``; ``FieldValueError`` when a stored value of
    ///   a related record does not fit its property.
    @discardableResult
    public func replaceLinks<Other: Model>(
        of id: M.ID, _ property: any KeyPath<M, Related<Other>> & Sendable, with others: Set<Other.ID>,
        changeSet: UUID? = nil
    ) async throws -> Receipt {
        // A repetition would read what the first call wrote, and derive other changes from it.
        if let changeSet, let receipt = try await records.receipt(of: changeSet) { return receipt }
        let current = Set(try await related(property, to: id).map(\.id))
        let changes =
            current.subtracting(others).inOrder().map { Change.unlink(id, property, $0) }
            + others.subtracting(current).inOrder().map { Change.link(id, property, $0) }
        return try await submit(changes, changeSet)
    }

    private func submit(_ changes: [Change], _ id: UUID?) async throws(StoreError) -> Receipt {
        try await records.submit(ChangeSet(id: id ?? .version7(), author: author, changes: changes))
    }
}

extension Set {
    /// Returns the ids in a fixed order, so that a repetition is the same change set.
    fileprivate func inOrder<M>() -> [Element] where Element == RecordID<M> {
        sorted { $0.description < $1.description }
    }
}
