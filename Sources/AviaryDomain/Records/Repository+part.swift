/// Access to the records of one model as Swift values.
///
/// ```swift
/// let animals = try await store.repository(for: Animal.self)
/// try await animals.insert(Animal(name: "Okapi"))
/// let all = try await animals.fetchAll()
/// ```
///
/// Each read sees the committed state of one moment. A write returns when it is on disk. Each write is a change set of
/// its own with an id of its own. When you pass this id, you can repeat the call whatever became of the first: the
/// store commits it once and answers the repetition with the receipt of the first call. Receipts are kept for 8 days.
public struct Repository<M: Model>: Sendable {
    let records: any ModelRecords
    let author: String

    package init(_ records: any ModelRecords, author: String) {
        self.records = records
        self.author = author
    }
}
