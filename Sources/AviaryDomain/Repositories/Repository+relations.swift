public import Foundation

extension Repository {
    /// The records that a to-many property shows, in the order of their ids: those whose reference points to the record, or
    /// those that it is linked with.
    ///
    /// ```swift
    /// let authors = try await books.related(\.authors, to: emma.id)
    /// ```
    ///
    /// - Returns: Empty also when there is no such record.
    /// - Throws: ``QueryError`` when the property has no inverse; ``ReadError``.
    public func related<Other: Model>(
        _ property: any KeyPath<M, Related<Other>> & Sendable, to id: M.ID
    ) async throws -> [Other] {
        try await related(property, to: [id])[id] ?? []
    }

    /// As ``related(_:to:)-(_,M.ID)`` for many records, in two statements however many they are, and all of one moment.
    ///
    /// ```swift
    /// let authors = try await books.related(\.authors, to: page.map(\.id))
    /// for book in page { print(book.title, authors[book.id, default: []].map(\.name)) }
    /// ```
    ///
    /// - Returns: An entry for each record that exists.
    /// - Throws: ``QueryError`` when the property has no inverse; ``ReadError``.
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

    /// Links the record with others by a many-to-many property. Those that are linked already stay so.
    ///
    /// ```swift
    /// try await books.link(emma.id, \.authors, with: [jane.id])
    /// ```
    ///
    /// - Parameter changeSet: Makes a repeat of this call safe.
    /// - Throws: ``StoreError``, `missingReference` when one of the records does not exist, `relatedCount` when a record
    ///   would have more links than its property allows.
    @discardableResult
    public func link<Other: Model>(
        _ id: M.ID, _ property: any KeyPath<M, Related<Other>> & Sendable, with others: Set<Other.ID>,
        changeSet: UUID? = nil
    ) async throws -> Receipt {
        try await submit(others.inOrder().map { .link(id, property, $0) }, changeSet)
    }

    /// Ends links of the record. Where there is none, nothing changes.
    ///
    /// ```swift
    /// try await books.unlink(emma.id, \.authors, from: [jane.id])
    /// ```
    ///
    /// - Parameter changeSet: Makes a repeat of this call safe.
    /// - Throws: ``StoreError``, `relatedCount` when a record would have fewer links than its property asks for.
    @discardableResult
    public func unlink<Other: Model>(
        _ id: M.ID, _ property: any KeyPath<M, Related<Other>> & Sendable, from others: Set<Other.ID>,
        changeSet: UUID? = nil
    ) async throws -> Receipt {
        try await submit(others.inOrder().map { .unlink(id, property, $0) }, changeSet)
    }

    /// Links the record with exactly these by a many-to-many property: ends its other links and makes those that it has not.
    /// A link that somebody else makes at the same moment stays.
    ///
    /// ```swift
    /// try await books.replaceLinks(of: emma.id, \.authors, with: [jane.id, james.id])
    /// ```
    ///
    /// - Parameter changeSet: Makes a repeat of this call safe.
    /// - Throws: ``StoreError`` as ``link(_:_:with:changeSet:)``; ``QueryError``; ``ReadError``.
    @discardableResult
    public func replaceLinks<Other: Model>(
        of id: M.ID, _ property: any KeyPath<M, Related<Other>> & Sendable, with others: Set<Other.ID>,
        changeSet: UUID? = nil
    ) async throws -> Receipt {
        // The repeat would read what the first call has written, and make other changes of it.
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
    /// In an order of their own, so that a repeat is the same change set.
    fileprivate func inOrder<M>() -> [Element] where Element == RecordID<M> {
        sorted { $0.description < $1.description }
    }
}
