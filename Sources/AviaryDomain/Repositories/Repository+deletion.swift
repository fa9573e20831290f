public import Foundation

extension Repository {
    /// The greatest number of records in one change set, and of changes that one undo can reverse.
    private static var mostDeleted: Int { 100_000 }
    private static var mostAttempts: Int { 100 }

    /// Deletes the records that match a predicate, and those that their delete rules delete with them, in one commit or
    /// not at all.
    ///
    /// ```swift
    /// let count = try await animals.delete(where: #Predicate { $0.category == nil })
    /// ```
    ///
    /// The method evaluates the predicate again when somebody changes one of the records at the same moment. It does
    /// not delete a record that is inserted at that moment.
    ///
    /// - Parameter predicate: The condition that the records to delete fulfil.
    /// - Returns: The number of records that match the predicate, without those that delete rules delete.
    /// - Throws: ``QueryError`` when the store cannot evaluate the predicate, or when more than 100,000 records match;
    ///   ``StoreError``, `deleteDenied` when a delete rule forbids the delete, `conflict` when others
    ///   changed records during each of 100 attempts; ``ReadError``.
    @discardableResult
    public func delete(where predicate: Predicate<M>) async throws -> Int {
        var query = try FetchDescriptor(predicate: predicate).query()
        query.limit = Self.mostDeleted + 1
        var attempt = 0
        while true {
            attempt += 1
            let found = try await records.fetch(query) { (id: $0.id, version: $0.version) }
            guard found.count <= Self.mostDeleted else {
                throw QueryError(
                    model: M.schema.name, expression: "A delete",
                    advice:
                        "finds more than \(Self.mostDeleted) records. Delete them in parts, by a predicate that finds fewer."
                )
            }
            guard !found.isEmpty else { return 0 }
            // An update of nothing asks for the version that the predicate was asked of.
            let checks = found.map { Change.update(model: M.schema.name, id: $0.id, version: $0.version, values: [:]) }
            let deletions = found.map { Change.delete(model: M.schema.name, id: $0.id) }
            do {
                _ = try await records.submit(ChangeSet(author: author, changes: checks + deletions))
                return found.count
            } catch {
                guard error.isOvertaken, attempt < Self.mostAttempts else { throw error }
            }
        }
    }
}
