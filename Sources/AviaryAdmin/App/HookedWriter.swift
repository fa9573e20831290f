import AviaryDomain
import Foundation
import Logging

/// A writer that runs an application's save hooks around each submitted change set.
struct HookedWriter: ChangeWriter, StoreReplacing {
    let base: any ChangeWriter & StoreReplacing
    let preparation: SavePreparation
    let schema: Schema
    /// A function that finds the stored record. Hooks receive whole records, while an update may name only some
    /// values.
    let find: @Sendable (ModelSchema, UUID) async throws -> Record?

    private var hooks: SaveHooks { preparation.hooks }

    /// A record between its hooks.
    private struct Save {
        let model: ModelSchema
        let record: Record
        let isNew: Bool
    }

    func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? {
        guard case .submit(let changeSet) = request else { return try await base.write(request) }
        return try await submitWithHooks(changeSet)
    }

    private func submitWithHooks(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        guard hooks.concern(changeSet.changes) else { return try await base.submit(changeSet) }
        let deadline = MonotonicTime.now.advanced(by: SavePreparation.patience)
        while true {
            do {
                return try await attempt(changeSet, until: deadline)
            } catch  where error == .overtaken {
                // Each time that a change set is overtaken, another one was stored.
                guard !deadline.isPast else { throw .busy(retryAfter: 1) }
            }
        }
    }

    /// Runs the hooks with the records as they are stored now, and submits the result.
    ///
    /// - Throws: ``StoreError/Reason/overtaken`` when records that the hooks read were changed before the commit.
    private func attempt(_ changeSet: ChangeSet, until deadline: MonotonicTime) async throws(StoreError) -> Receipt {
        let reads = preparation.reads(until: deadline)
        var changes: [Change] = []
        var saves: [Save] = []
        for change in changeSet.changes {
            guard hooks.concern(change), let (save, before) = try await whole(change) else {
                changes.append(change)
                continue
            }
            let context = SaveContext(
                author: changeSet.author, isNew: save.isNew, changeSet: changeSet.id, commit: nil, reads: reads)
            let record = try await preparation.prepared(save.record, of: save.model, context)
            try check(record, since: before, of: save.model)
            reads.note(record, of: save.model)
            saves.append(Save(model: save.model, record: record, isNew: save.isNew))
            changes.append(change.with(record.values, before: before, of: save.model))
        }
        let receipt = try await base.submit(changeSet.changed(to: changes, basis: reads.basis))
        guard !receipt.isRepeat else { return receipt }
        let readsAfter = preparation.reads()
        for save in saves {
            let context = SaveContext(
                author: changeSet.author, isNew: save.isNew, changeSet: changeSet.id, commit: receipt.commit,
                reads: readsAfter
            )
            await hooks.after(save.record, of: save.model, context) { error in
                preparation.logger.error(
                    "a hook after a save failed",
                    metadata: ["model": "\(save.model.name)", "error": "\(type(of: error))"])
            }
        }
        return receipt
    }

    func preparesRecords(of model: String) -> Bool { hooks.prepareRecords(of: model) }

    func replaceContents(
        withStoreAt path: String, keepingReplacedAt kept: String, holder: UUID
    ) async throws(StoreError) -> Int64 {
        try await base.replaceContents(withStoreAt: path, keepingReplacedAt: kept, holder: holder)
    }
    func acquireWriteLease(for holder: UUID) async throws(StoreError) { try await base.acquireWriteLease(for: holder) }
    func releaseWriteLease(for holder: UUID) async throws(StoreError) { try await base.releaseWriteLease(for: holder) }

    /// Checks the rules of a record that hooks may have changed. The store checks them again by the rules of its program.
    private func check(_ record: Record, since before: [FieldValue]?, of model: ModelSchema) throws(StoreError) {
        guard preparesRecords(of: model.name) else { return }
        let values = model.valuesByName(record.values)
        let problems =
            if let before {
                model.problems(
                    changing: Record(id: record.id, version: record.version, values: before), to: values)
            } else {
                model.problems(in: values, of: record.id)
            }
        guard problems.isEmpty else { throw .invalid(model: model.name, problems) }
    }

    /// Returns the complete record that would be stored, with the values that an update starts from.
    ///
    /// The result is nil for a change without hooks and for one that the store will reject, because the store
    /// reports the reason best.
    private func whole(_ change: Change) async throws(StoreError) -> (Save, before: [FieldValue]?)? {
        guard let model = schema.model(change.model) else { return nil }
        switch change {
        case .insert(_, let id, let values):
            let record = Record(
                id: id, version: 0, values: model.storedProperties.map { values[$0.name] ?? $0.defaultValue })
            return (Save(model: model, record: record, isNew: true), nil)
        case .update(_, let id, let version, let values):
            let current: Record?
            do {
                current = try await find(model, id)
            } catch {
                throw .unavailable("the record cannot be read.")
            }
            guard let current, current.version == version else { return nil }
            let overlaid = zip(model.storedProperties, current.values).map { property, value in
                values[property.name] ?? value
            }
            return (
                Save(model: model, record: Record(id: id, version: version, values: overlaid), isNew: false),
                current.values
            )
        case .delete, .link, .unlink:
            return nil
        }
    }
}

extension Change {
    /// Returns the same change with the values that the hooks returned: the values that it named, and others that
    /// the hooks changed.
    fileprivate func with(_ values: [FieldValue], before: [FieldValue]?, of model: ModelSchema) -> Change {
        switch self {
        case .insert(_, let id, let named):
            var all = named
            for (property, value) in zip(model.storedProperties, values) where named[property.name] != value {
                all[property.name] = value
            }
            return .insert(model: model.name, id: id, values: all)
        case .update(_, let id, let version, let named):
            var all = named
            for (index, (property, value)) in zip(model.storedProperties, values).enumerated() {
                let stored = before.flatMap { index < $0.count ? $0[index] : nil }
                if named[property.name] != nil || stored != value { all[property.name] = value }
            }
            return .update(model: model.name, id: id, version: version, values: all)
        case .delete, .link, .unlink:
            return self
        }
    }
}

extension ChangeSet {
    fileprivate func changed(to changes: [Change], basis: ReadBasis?) -> ChangeSet {
        let isSame = changes == self.changes
        guard !isSame || basis != nil else { return self }
        return ChangeSet(
            id: id, author: author, changes: changes, cascadeLimit: cascadeLimit,
            asked: isSame ? asked : asked ?? self.changes, basis: basis)
    }
}
