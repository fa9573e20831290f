extension Repository {
    /// Returns a change set that updates many records, made from their current values.
    ///
    /// The method stores nothing; submit the change set to do so. The store then rejects it with a `conflict` when
    /// somebody has changed one of the records in between.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).action("Mark as fed") { ids, animals in
    ///     try await animals.changeSet(updating: ids) { $0.isFed = true }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - ids: The ids of the records. Ids of records that no longer exist are ignored.
    ///   - change: A closure that is called with each stored record and modifies it. Only the properties that differ
    ///     afterwards are part of the change set.
    /// - Throws: ``ReadError``; ``FieldValueError`` when a stored value does not fit its property; the error of the
    ///   closure.
    public func changeSet(updating ids: [M.ID], _ change: (inout M) throws -> Void) async throws -> ChangeSet {
        let wanted = RecordQuery(condition: .isMember(.id, of: ids.map(\.uuid.fieldValue)))
        let stored = ids.isEmpty ? [] : try await records.fetch(wanted) { $0 }
        var changes: [Change] = []
        for record in stored {
            var model = try M(record)
            let before = model.fieldValues
            try change(&model)
            let values = model.fieldValues.filter { before[$0.key] != $0.value }
            guard !values.isEmpty else { continue }
            changes.append(.update(model: M.schema.name, id: record.id, version: record.version, values: values))
        }
        return ChangeSet(author: author, changes: changes)
    }
}
