public import Foundation

extension Repository {
    /// What one change set takes, and one commit can be taken back of.
    private static var mostDeleted: Int { 100_000 }
    private static var mostAttempts: Int { 100 }

    /// Deletes the records of which the predicate holds, and what their delete rules take along: all of it in one commit, or
    /// nothing. A record that somebody changes at the same moment is looked at again before it goes; one that is added
    /// at that moment stays.
    ///
    /// ```swift
    /// let count = try await animals.delete(where: #Predicate { $0.category == nil })
    /// ```
    ///
    /// - Returns: How many records the predicate found, without those that went along.
    /// - Throws: ``QueryError`` when the store cannot be asked so, or it finds more than 100,000; ``StoreError``,
    ///   `deleteDenied` when a delete rule forbids it; ``ReadError``.
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
