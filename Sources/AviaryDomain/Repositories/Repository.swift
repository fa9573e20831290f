import Foundation

/// The records of one model as Swift values.
///
/// ```swift
/// let animals = Repository<Animal>(records)
/// try await animals.save(Animal(name: "Okapi"))
/// ```
public struct Repository<M: Model>: Sendable {
    private let records: any RecordRepository
    private let author: String

    package init(_ records: any RecordRepository, author: String) {
        self.records = records
        self.author = author
    }

    /// Every record, in the order of their ids.
    public func fetchAll() async throws -> [M] {
        try await records.fetchAll().map { record in
            var reader = FieldReader(record)
            return try M(from: &reader)
        }
    }

    /// The record, or nil when it does not exist.
    public func find(_ id: M.ID) async throws -> M? {
        guard let record = try await records.find(id.uuid) else { return nil }
        var reader = FieldReader(record)
        return try M(from: &reader)
    }

    /// Stores a new record, or replaces the stored one of the same id.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    public func save(_ model: M) async throws -> Receipt {
        let current = try await records.find(model.id.uuid)
        return try await records.save(RecordSubmission(
            draft: .version7(), author: author, id: model.id.uuid, version: current?.version,
            values: model.fieldValues
        ))
    }

    /// Deletes the records and what their delete rules take along, all or none.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    public func delete(ids: Set<M.ID>) async throws -> Receipt {
        try await records.delete(ids: ids.map(\.uuid), as: Deletion(author: author, cascadeLimit: nil))
    }
}

extension Model {
    /// The stored values by property name.
    package var fieldValues: [String: FieldValue] {
        var writer = FieldWriter()
        bind(to: &writer)
        return Dictionary(
            zip(Self.schema.storedProperties.map(\.name), writer.values), uniquingKeysWith: { first, _ in first }
        )
    }

    /// The change that stores this value as a new record.
    package var insertion: Change {
        .insert(model: Self.modelName, id: id.uuid, values: fieldValues)
    }
}
