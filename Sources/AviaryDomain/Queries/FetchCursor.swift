import Foundation

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
