public import Foundation

extension Repository {
    /// The greatest number of attempts of a write when others change the record first.
    ///
    /// Each failed attempt means that another write was committed, so only a record with constant writes needs many.
    private static var mostAttempts: Int { 100 }

    /// Inserts a new record.
    ///
    /// ```swift
    /// try await animals.insert(Animal(name: "Okapi"))
    /// ```
    ///
    /// - Parameters:
    ///   - model: The record to insert.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError``: `conflict` when a record with this id exists.
    @discardableResult
    public func insert(_ model: M, changeSet: UUID? = nil) async throws -> Receipt {
        try check(model)
        return try await submit([.insert(model)], changeSet ?? .version7())
    }

    /// Updates a record, based on its current values.
    ///
    /// The method changes only the properties that the closure changes. Changes of other properties that others make
    /// at the same time are kept. Rules apply to the changed properties only, so a record that is older than a rule
    /// can be updated.
    ///
    /// ```swift
    /// try await animals.update(id) { $0.weight += 2 }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the record.
    ///   - changeSet: An id that makes a repetition of this call safe: the change is made once. A new id by default.
    ///   - change: A closure that modifies the stored record. It is called again with the newer record when another
    ///     writer has changed it in the meantime.
    /// - Throws: ``StoreError``: `notFound` when the record does not exist, `conflict` when others changed it during
    ///   each of 100 attempts; ``ReadError``; ``FieldValueError`` when a stored value does not fit its property; the
    ///   error of the closure.
    @discardableResult
    public func update(
        _ id: M.ID, changeSet: UUID? = nil, _ change: (inout M) throws -> Void
    ) async throws -> Receipt {
        try await write(changeSet) {
            guard let record = try await records.find(id.uuid) else {
                throw StoreError.notFound(model: M.schema.name, id: id.uuid)
            }
            var model = try M(record)
            let before = model.fieldValues
            try change(&model)
            let changed = model.fieldValues.filter { before[$0.key] != $0.value }
            try check(changed, changing: record)
            return .update(model: M.schema.name, id: id.uuid, version: record.version, values: changed)
        }
    }

    /// Inserts a record, or replaces the record with the same id.
    ///
    /// An existing record is **replaced**: changes that others made since this value was read are lost. Use
    /// ``update(_:changeSet:_:)`` to change a stored record. Rules apply to the values that differ from the stored
    /// ones.
    ///
    /// ```swift
    /// try await animals.save(Animal(name: "Okapi", id: known))
    /// ```
    ///
    /// - Parameters:
    ///   - model: The record to store.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError``: `conflict` when others changed the record during each of 100 attempts; ``ReadError``.
    @discardableResult
    public func save(_ model: M, changeSet: UUID? = nil) async throws -> Receipt {
        try await write(changeSet) {
            guard let record = try await records.find(model.id.uuid) else {
                try check(model)
                return .insert(model)
            }
            try check(model.fieldValues, changing: record)
            return .update(model: M.schema.name, id: model.id.uuid, version: record.version, values: model.fieldValues)
        }
    }

    /// Deletes records, and the records that their delete rules delete with them, all or none. An id without a
    /// record is not an error.
    ///
    /// ```swift
    /// let receipt = try await animals.delete(ids: [okapi.id, tapir.id])
    /// ```
    ///
    /// - Parameters:
    ///   - ids: The ids of the records.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError``: `deleteDenied` when a delete rule forbids the delete.
    @discardableResult
    public func delete(ids: Set<M.ID>, changeSet: UUID? = nil) async throws -> Receipt {
        // Sort the ids, so that a repetition is the same change set.
        let ids = ids.map(\.uuid).sorted { $0.canonicalText < $1.canonicalText }
        return try await submit(ids.map { .delete(model: M.schema.name, id: $0) }, changeSet ?? .version7())
    }

    /// Deletes a record, and the records that its delete rules delete with it. An id without a record is not an
    /// error.
    ///
    /// ```swift
    /// try await animals.delete(id: okapi.id)
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the record.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError``: `deleteDenied` when a delete rule forbids the delete.
    @discardableResult
    public func delete(id: M.ID, changeSet: UUID? = nil) async throws -> Receipt {
        try await delete(ids: [id], changeSet: changeSet)
    }

    /// Deletes a record, and the records that its delete rules delete with it. A record that is not stored is not an
    /// error.
    ///
    /// ```swift
    /// try await animals.delete(okapi)
    /// ```
    ///
    /// The record is deleted whatever its stored values are, also when others have changed it since it was read.
    ///
    /// - Parameters:
    ///   - model: The record to delete. Only its id matters.
    ///   - changeSet: An id that makes a repetition of this call safe; a new id by default.
    /// - Throws: ``StoreError``: `deleteDenied` when a delete rule forbids the delete.
    @discardableResult
    public func delete(_ model: M, changeSet: UUID? = nil) async throws -> Receipt {
        try await delete(id: model.id, changeSet: changeSet)
    }

    /// Checks a new record by the rules of this program's model. The store always checks it again by the rules of
    /// its own. Hooks come before the rules.
    private func check(_ model: M) throws(StoreError) {
        guard !records.preparesRecords else { return try checkTypes(model.fieldValues) }
        var problems = M.schema.problems(in: model.fieldValues)
        if problems.isEmpty { problems = model.validate() }
        guard problems.isEmpty else { throw .invalid(model: M.schema.name, problems) }
    }

    /// Checks what a change touches by the rules of this program's model, as the store does by the rules of its own.
    private func check(_ values: [String: FieldValue], changing record: Record) throws(StoreError) {
        guard !records.preparesRecords else { return try checkTypes(values) }
        let problems = M.schema.problems(changing: record, to: values)
        guard problems.isEmpty else { throw .invalid(model: M.schema.name, problems) }
    }

    private func checkTypes(_ values: [String: FieldValue]) throws(StoreError) {
        let problems = M.schema.validationProblems(in: values)
        guard problems.isEmpty else { throw .invalid(model: M.schema.name, problems) }
    }

    private func submit(_ changes: [Change], _ id: UUID) async throws(StoreError) -> Receipt {
        try await records.submit(ChangeSet(id: id, author: author, changes: changes))
    }

    /// Submits a change that depends on the stored record, and computes it again when the record has changed in the
    /// meantime.
    private func write(_ changeSet: UUID?, _ change: () async throws -> Change) async throws -> Receipt {
        // A repetition would read what the first call wrote, and derive another change from it.
        if let changeSet, let receipt = try await records.receipt(of: changeSet) { return receipt }
        let id = changeSet ?? .version7()
        var attempt = 0
        while true {
            attempt += 1
            let change = try await change()
            do {
                return try await submit([change], id)
            } catch {
                if changeSet != nil, case .alreadySaved(let commit) = error.reason {
                    // The first call was committed in the meantime.
                    return Receipt(changeSet: id, commit: commit, isRepeat: true)
                }
                guard error.isWriteConflict, attempt < Self.mostAttempts else { throw error }
            }
        }
    }
}

extension StoreError {
    /// Indicates whether the record was changed, inserted or deleted after it was read.
    package var isWriteConflict: Bool { code == .conflict || code == .notFound }
}

extension Model {
    /// The change that inserts this value as a new record.
    package var insertion: Change {
        .insert(model: Self.modelName, id: id.uuid, values: fieldValues)
    }
}

extension Change {
    /// Creates a change that inserts a new record.
    ///
    /// ```swift
    /// let category = AnimalCategory(name: "Mammal")
    /// try await store.submit([.insert(category), .insert(Animal(name: "Okapi", category: Reference(category)))])
    /// ```
    ///
    /// - Parameter model: The record to insert.
    public static func insert<M: Model>(_ model: M) -> Change { model.insertion }

    /// Creates a change that deletes a record, and the records that its delete rules delete with it.
    ///
    /// ```swift
    /// try await store.submit([.delete(okapi), .delete(tapir)])
    /// ```
    ///
    /// - Parameter model: The record to delete.
    public static func delete<M: Model>(_ model: M) -> Change { .delete(model: M.modelName, id: model.id.uuid) }

    /// Creates a change that deletes a record, given by its id, and the records that its delete rules delete with it.
    ///
    /// ```swift
    /// try await store.submit(ids.map { .delete($0) })
    /// ```
    ///
    /// - Parameter id: The id of the record to delete.
    public static func delete<M: Model>(_ id: RecordID<M>) -> Change { .delete(model: M.modelName, id: id.uuid) }
}

extension Repository {
    /// Returns changes that update many records, based on their current values.
    ///
    /// The method stores nothing; submit the changes to do so. The store then rejects them with a `conflict` when
    /// another writer has changed one of the records in the meantime.
    ///
    /// ```swift
    /// let changes = try await animals.changes(updating: ids) { $0.isFed = true }
    /// try await store.submit(changes + [.insert(Feeding(count: ids.count))])
    /// ```
    ///
    /// - Parameters:
    ///   - ids: The ids of the records. Ids of records that no longer exist are ignored.
    ///   - change: A closure that is called with each stored record and modifies it. Only the properties that differ
    ///     afterwards are part of the changes.
    /// - Returns: A change for each record that the closure modified.
    /// - Throws: ``ReadError``; ``FieldValueError`` when a stored value does not fit its property; the error of the
    ///   closure.
    public func changes(updating ids: [M.ID], _ change: (inout M) throws -> Void) async throws -> [Change] {
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
        return changes
    }
}

extension Repository {
    /// The greatest number of records in one change set, and of changes that one undo can reverse.
    private static var mostDeleted: Int { 100_000 }

    /// Deletes the records that match a predicate, and the records that their delete rules delete with them, in one
    /// commit or not at all.
    ///
    /// ```swift
    /// let count = try await animals.delete(where: #Predicate { $0.category == nil })
    /// ```
    ///
    /// The method evaluates the predicate again when another writer changes one of the records at the same moment.
    /// It does not delete a record that is inserted at that moment.
    ///
    /// - Parameter predicate: The condition that the records to delete fulfil.
    /// - Returns: The number of records that match the predicate, without those that delete rules delete.
    /// - Throws: ``QueryError`` when the store cannot evaluate the predicate, or when more than 100,000 records
    ///   match; ``StoreError``, `deleteDenied` when a delete rule forbids the delete, `conflict` when others changed
    ///   records during each of 100 attempts; ``ReadError``.
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
            // An update without values checks that the record still has the version for which the predicate was
            // evaluated.
            let checks = found.map { Change.update(model: M.schema.name, id: $0.id, version: $0.version, values: [:]) }
            let deletions = found.map { Change.delete(model: M.schema.name, id: $0.id) }
            do {
                _ = try await records.submit(ChangeSet(author: author, changes: checks + deletions))
                return found.count
            } catch {
                guard error.isWriteConflict, attempt < Self.mostAttempts else { throw error }
            }
        }
    }
}
