extension Repository {
    /// The change of many records at once, made of them as they are now. Nothing is stored before it is submitted; a record
    /// that is changed by others in between is a `conflict` then.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).action("Mark as fed") { ids, animals in
    ///     try await animals.changeSet(updating: ids) { $0.isFed = true }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - ids: Of the records; those that do not exist any more are left out.
    ///   - change: Called with each stored value. What it leaves as it is, is not stored again.
    /// - Throws: ``ReadError``; what the change throws.
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
