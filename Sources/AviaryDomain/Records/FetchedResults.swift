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

/// Selected properties of a record, as ``Repository/fetch(_:selecting:)`` reads them.
///
/// ```swift
/// for animal in try await animals.fetch(descriptor, selecting: \.name, \.weight) {
///     let (name, weight) = animal.values
///     print(animal.id, name, weight)
/// }
/// ```
public struct FetchedSelection<M: Model, each Value: StoredValue>: Sendable, Identifiable {
    /// The id of the record.
    public let id: M.ID
    /// The values, in the order in which the call names the properties.
    public let values: (repeat each Value)
}

extension Repository {
    /// Returns selected properties of the records that match a descriptor. The store reads only their columns.
    ///
    /// The result is not a value of the model, because a model could not say which of its properties were read. It
    /// contains the selected values with their types.
    ///
    /// ```swift
    /// let names = try await animals.fetch(descriptor, selecting: \.name).map(\.values)
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The conditions, order and limits.
    ///   - properties: Stored properties of the model. The id is always included.
    /// - Throws: ``QueryError`` when the store cannot run the query, or when a key path is not a stored property;
    ///   ``ReadError``; ``FieldValueError`` when a stored value does not fit its property.
    public func fetch<each Value: StoredValue>(
        _ descriptor: FetchDescriptor<M>, selecting properties: repeat any KeyPath<M, each Value> & Sendable
    ) async throws -> [FetchedSelection<M, repeat each Value>] {
        var selected: [PropertySchema] = []
        for keyPath in repeat each properties { selected.append(try Self.property(at: keyPath)) }
        return try await records.values(descriptor.query(), of: selected) { [selected] id, values in
            var reader = SelectionReader(model: M.modelName, properties: selected, values: values)
            return FetchedSelection(id: RecordID(id), values: (repeat try reader.next((each Value).self)))
        }
    }

    private static func property(at keyPath: PartialKeyPath<M>) throws(QueryError) -> PropertySchema {
        guard let property = M.schema.property(at: keyPath), property.type.isStored else {
            throw QueryError(
                model: M.schema.name, expression: "A key path that is no stored property",
                advice: "has no column to read. Select those that the model stores; the id comes along."
            )
        }
        return property
    }
}

/// A reader that returns the values of a row, in the order of the properties.
private struct SelectionReader {
    let model: String
    let properties: [PropertySchema]
    let values: [FieldValue]
    private var position = 0

    init(model: String, properties: [PropertySchema], values: [FieldValue]) {
        self.model = model
        self.properties = properties
        self.values = values
    }

    mutating func next<Value: StoredValue>(_ type: Value.Type) throws(FieldValueError) -> Value {
        guard position < values.count, position < properties.count else {
            throw .missingField(model: model, property: "\(position)")
        }
        let property = properties[position], value = values[position]
        position += 1
        do {
            return try Value.isScaled ? Value(fieldValue: value, scale: property.type.scale) : Value(fieldValue: value)
        } catch {
            throw .invalid(model: model, property: property.name, reason: "\(error)")
        }
    }
}
