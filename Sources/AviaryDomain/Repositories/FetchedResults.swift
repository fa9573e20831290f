import Foundation

/// Records with those that they are related to, all of one moment.
///
/// ```swift
/// var descriptor = FetchDescriptor<Animal>()
/// descriptor.relationshipKeyPathsForPrefetching = [\.category]
/// let results = try await animals.fetchResults(descriptor)
/// for animal in results { print(animal.name, try results[\.category, of: animal]?.name ?? "no category") }
/// ```
public struct FetchedResults<M: Model>: Sendable, RandomAccessCollection {
    /// In the order asked for.
    public let records: [M]
    /// By the name of the relation, then by the id of the record that has it.
    private let related: [String: [UUID: [Record]]]

    init(records: [M], related: [String: [UUID: [Record]]]) {
        self.records = records
        self.related = related
    }

    public var startIndex: Int { records.startIndex }
    public var endIndex: Int { records.endIndex }
    public subscript(position: Int) -> M { records[position] }
}

extension FetchedResults {
    /// The record that the reference points to.
    ///
    /// ```swift
    /// let category = try results[\.category, of: animal]
    /// ```
    ///
    /// - Throws: ``QueryError`` when the relation was not fetched, or the record is none of the results.
    public subscript<Other: Model>(relation: KeyPath<M, Reference<Other>>, of record: M) -> Other? {
        get throws {
            let found: [Other] = try models(relation, of: record)
            return found.first
        }
    }

    /// The record that the reference points to; nil when it is nil.
    ///
    /// ```swift
    /// let category = try results[\.category, of: animal]
    /// ```
    ///
    /// - Throws: ``QueryError`` when the relation was not fetched, or the record is none of the results.
    public subscript<Other: Model>(relation: KeyPath<M, Reference<Other>?>, of record: M) -> Other? {
        get throws {
            let found: [Other] = try models(relation, of: record)
            return found.first
        }
    }

    /// The related records, in the order of their ids.
    ///
    /// ```swift
    /// let animals = try results[\.animals, of: category]
    /// ```
    ///
    /// - Throws: ``QueryError`` when the relation was not fetched, or the record is none of the results.
    public subscript<Other: Model>(relation: KeyPath<M, Related<Other>>, of record: M) -> [Other] {
        get throws { try models(relation, of: record) }
    }

    private func models<Other: Model>(_ relation: AnyKeyPath, of record: M) throws -> [Other] {
        let name = M.schema.property(at: relation)?.name ?? "?"
        guard let fetched = related[name] else {
            throw QueryError(
                model: M.schema.name, expression: "The relation \(name)",
                advice: "was not fetched. Name it in relationshipKeyPathsForPrefetching."
            )
        }
        guard let records = fetched[record.id.uuid] else {
            throw QueryError(
                model: M.schema.name, expression: "A record",
                advice: "is none of these results. Fetch it with its relations."
            )
        }
        return try records.map(Other.init)
    }
}
