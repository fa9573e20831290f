/// The records of one model as Swift values.
///
/// ```swift
/// let animals = try await store.repository(for: Animal.self)
/// try await animals.insert(Animal(name: "Okapi"))
/// let all = try await animals.fetchAll()
/// ```
///
/// Reads see what is committed, at one moment each. Writes return once they are on disk; each is a change set of its own
/// with an id of its own. Who gives that id can repeat the call, whatever became of the first: it is done once, and the
/// repeat has the first one's receipt. Receipts are kept for 8 days.
public struct Repository<M: Model>: Sendable {
    let records: any ModelRecords
    let author: String

    package init(_ records: any ModelRecords, author: String) {
        self.records = records
        self.author = author
    }
}
