import Foundation

/// The records of a fetch together with related records, all read from one snapshot of the store.
///
/// ```swift
/// var descriptor = FetchDescriptor<Animal>()
/// descriptor.relationshipKeyPathsForPrefetching = [\.category]
/// let results = try await animals.fetchResults(descriptor)
/// for animal in results { print(animal.name, try results[\.category, of: animal]?.name ?? "no category") }
/// ```
public struct FetchedResults<M: Model>: Sendable, RandomAccessCollection {
    /// The records, in the order of the descriptor.
    public let records: [M]
    /// The related records, by the name of the relation, then by the id of the record that has it.
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
    /// Accesses the record that a reference points to.
    ///
    /// ```swift
    /// let category = try results[\.category, of: animal]
    /// ```
    ///
    /// - Parameters:
    ///   - relation: A relation that the descriptor names for prefetching.
    ///   - record: A record of the results.
    /// - Throws: ``QueryError`` when the relation was not fetched, or when the record is not part of the results;
    ///   ``FieldValueError`` when a stored value does not fit its property.
    public subscript<Other: Model>(relation: KeyPath<M, Reference<Other>>, of record: M) -> Other? {
        get throws {
            let found: [Other] = try models(relation, of: record)
            return found.first
        }
    }

    /// Accesses the record that an optional reference points to; nil when the reference is nil.
    ///
    /// ```swift
    /// let category = try results[\.category, of: animal]
    /// ```
    ///
    /// - Parameters:
    ///   - relation: A relation that the descriptor names for prefetching.
    ///   - record: A record of the results.
    /// - Throws: ``QueryError`` when the relation was not fetched, or when the record is not part of the results;
    ///   ``FieldValueError`` when a stored value does not fit its property.
    public subscript<Other: Model>(relation: KeyPath<M, Reference<Other>?>, of record: M) -> Other? {
        get throws {
            let found: [Other] = try models(relation, of: record)
            return found.first
        }
    }

    /// Accesses the records of a to-many relation, sorted by id.
    ///
    /// ```swift
    /// let animals = try results[\.animals, of: category]
    /// ```
    ///
    /// - Parameters:
    ///   - relation: A relation that the descriptor names for prefetching.
    ///   - record: A record of the results.
    /// - Throws: ``QueryError`` when the relation was not fetched, or when the record is not part of the results;
    ///   ``FieldValueError`` when a stored value does not fit its property.
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
