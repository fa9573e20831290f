public import Foundation

/// The conditions, order and limits of a fetch.
///
/// ```swift
/// var descriptor = FetchDescriptor<Animal>(
///     predicate: #Predicate { $0.name.starts(with: "O") && $0.weight > 100 },
///     sortBy: [SortDescriptor(\.name)]
/// )
/// descriptor.fetchLimit = 20
/// let animals = try await store.repository(for: Animal.self).fetch(descriptor)
/// ```
///
/// The store returns the result that the predicate's own `evaluate(_:)` returns, with three exceptions that follow from
/// the storage of values:
/// - The store compares and sorts strings by their bytes. "é" as one Unicode scalar differs from "é" as two, and a
///   search finds a part of a character.
/// - The store compares dates with a precision of one millisecond.
/// - An overflow in integer arithmetic is an error and does not end the program.
///
/// The store rejects what it cannot evaluate with certainty. It throws a ``QueryError`` that says what to write
/// instead.
///
/// The compiler requires enum cases and computed values of the program to be constants outside the predicate: `let diet
/// = Animal.Diet.herbivorous`, then `#Predicate { $0.diet == diet }`.
public struct FetchDescriptor<M: Model>: Sendable {
    /// The condition that each record fulfils; nil for all records.
    public var predicate: Predicate<M>?
    /// The conditions on related records. A record must fulfil each of them.
    public var related: [RelatedCondition<M>] = []

    /// Words that each record contains in properties declared `@Attribute(.fullText)`.
    ///
    /// Each word occurs in one of these properties, as a whole or as a part of a word, without regard to case and
    /// accents, as with `localizedStandardContains`. The typographic variants of apostrophes, quotes and dashes are
    /// equal: "O'Brien" finds "O’Brien". Nil or a blank string finds all records.
    public var search: String?

    /// The order of the records, with the most significant descriptor first.
    ///
    /// Nil precedes every value. Records that are equal in all descriptors are sorted by their ids, and so are all
    /// records when the array is empty.
    public var sortBy: [SortDescriptor<M>]
    /// The greatest number of records; nil for all.
    public var fetchLimit: Int?
    /// The number of records to skip at the beginning.
    public var fetchOffset: Int?
    /// The relations whose records ``Repository/fetchResults(_:)`` fetches too.
    public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<M> & Sendable] = []

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - predicate: The condition that each record fulfils; nil for all records.
    ///   - sortBy: The order of the records, with the most significant descriptor first; by id when it is empty.
    public init(predicate: Predicate<M>? = nil, sortBy: [SortDescriptor<M>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}

extension FetchDescriptor {
    /// Returns the descriptor as a query.
    ///
    /// - Throws: ``QueryError``.
    package func query() throws(QueryError) -> RecordQuery {
        var query = RecordQuery(limit: fetchLimit, offset: fetchOffset ?? 0)
        guard (query.limit ?? 0) >= 0, query.offset >= 0 else {
            throw error("A fetch limit or offset", "is negative. Leave it out to fetch all records.")
        }
        if let predicate { query.condition = try QueryTranslation.expression(of: predicate) }
        for related in related { query.add(try related.expression()) }
        if let search { query.add(try M.schema.searchExpression(for: search)) }
        for descriptor in sortBy { query.order.append(try sortKey(descriptor)) }
        return query
    }

    private func sortKey(_ descriptor: SortDescriptor<M>) throws(QueryError) -> SortKey {
        let direction: SortDirection = descriptor.order == .forward ? .ascending : .descending
        guard let keyPath = descriptor.keyPath else { throw error("What is not stored", Self.orderAdvice) }
        guard let property = M.schema.property(at: keyPath) else {
            for property in M.schema.storedProperties {
                if let rank = property.rank(at: keyPath) { return SortKey(rank, direction) }
            }
            throw error("What is not stored", Self.orderAdvice)
        }
        let name = "\(M.schema.name).\(property.name)"
        guard let expression = QueryExpression.property(property.name).ordered(as: type(of: keyPath).valueType) else {
            throw error(name, Self.orderAdvice)
        }
        guard descriptor.comparesAsStored else {
            throw error(
                name,
                "is sorted by the rules of a language, which the store does not know. Write SortDescriptor(\\.\(property.name)), or sort the result in memory."
            )
        }
        return SortKey(expression, direction)
    }

    private static var orderAdvice: String {
        "cannot be sorted by. Sort by a stored text, number, date, truth value, choice or UUID, or sort the result in memory."
    }

    private func error(_ expression: String, _ advice: String) -> QueryError {
        QueryError(model: M.schema.name, expression: expression, advice: advice)
    }
}

extension RecordQuery {
    package mutating func add(_ condition: QueryExpression) {
        self.condition = self.condition.map { .and($0, condition) } ?? condition
    }
}

extension SortDescriptor {
    fileprivate var comparesAsStored: Bool {
        stringComparator.map { $0 == .lexical } ?? true
    }
}

/// An error that reports a part of a ``FetchDescriptor`` that the store cannot evaluate, or not with certainty as Swift
/// would.
///
/// ```swift
/// do {
///     let long = try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.name.count > 20 }))
/// } catch let error as QueryError {
///     print(error)  // Animal: \String.count is not known to the store. Compare the value itself, …
/// }
/// ```
///
/// The store reports the error before it reads anything. Two errors depend on the records: a calculation that leaves
/// the range of its numbers, and a delete that finds too many records.
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model that is fetched.
    public let model: String
    /// The rejected part: a kind of expression or a key path. It never contains a value.
    public let expression: String
    /// The reason, and what to write instead.
    public let advice: String

    package init(model: String, expression: String, advice: String) {
        self.model = model
        self.expression = expression
        self.advice = advice
    }

    /// The model, the rejected part and the advice in one line.
    public var description: String { "\(model): \(expression) \(advice)" }
}

/// The position in a fetch at which its next page begins.
///
/// The position follows a record and stays valid whatever is inserted or deleted in the meantime. A cursor belongs
/// to the fetch that returned it, and only ``Repository/fetchPage(_:after:)`` accepts it. Its ``description`` can be
/// part of a URL. The description is not secret: it contains the values that the last record is sorted by.
///
/// ```swift
/// let page = try await animals.fetchPage(descriptor)
/// let link = page.next.map { "/animals?after=\($0)" }
/// ```
public struct FetchCursor: Sendable, Hashable, LosslessStringConvertible {
    let values: [FieldValue]
    let id: UUID
    let digest: UInt64

    package init(after record: Record, of query: RecordQuery, _ schema: ModelSchema) {
        values = query.order.map { $0.value(of: record, in: schema) }
        id = record.id
        digest = QueryDigest(query, of: schema).value
    }
}

extension FetchCursor {
    private struct Content: Codable {
        let v: [FieldValue]
        let id: String
        let q: UInt64
    }

    /// The cursor as text that can be part of a URL (Base64url).
    public var description: String {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        encoder.outputFormatting = .sortedKeys
        let content = Content(v: values, id: id.canonicalText, q: digest)
        // All parts are texts and numbers, which can always be encoded.
        let bytes = (try? encoder.encode(content)) ?? Data()
        return Base64URL.encode([UInt8](bytes))
    }

    /// Creates a cursor from its ``description``, or nil from any other text.
    ///
    /// - Parameter description: The text of a cursor.
    public init?(_ description: String) {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        guard let bytes = Base64URL.decode(description),
            let content = try? decoder.decode(Content.self, from: Data(bytes)),  // anything may be in a URL
            let id = UUID(canonicalText: content.id)
        else { return nil }
        values = content.v
        self.id = id
        digest = content.q
    }
}

extension FetchCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = FetchCursor(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not the text of a cursor"))
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
