public import Foundation

/// A reason for which the store would reject a delete.
public enum DeleteObstacle: Sendable, Hashable, Codable {
    /// Records of a model that would remain refer to records that would be deleted, or are linked with them, and a
    /// delete rule forbids this.
    ///
    /// `count` is the number of these records, and `first` contains the ids of the first of them.
    case referrers(model: String, count: Int, first: [UUID] = [])

    /// Records of a model that would remain would have a number of related records that the property does not allow.
    ///
    /// `count` is the number of these records, and `first` contains the ids of the first of them.
    case relatedCount(model: String, property: String, count: Int, allowed: ModelCount, first: [UUID] = [])
}

extension DeleteObstacle {
    private enum CodingKeys: CodingKey { case referrers, relatedCount }
    private enum ValueKeys: CodingKey { case model, property, count, allowed, first }

    /// Creates an obstacle by decoding. A store process of an older version names no records; `first` is empty then.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isReferrers = container.contains(.referrers)
        let values = try container.nestedContainer(
            keyedBy: ValueKeys.self, forKey: isReferrers ? .referrers : .relatedCount)
        let model = try values.decode(String.self, forKey: .model), count = try values.decode(Int.self, forKey: .count)
        let first = try values.decodeIfPresent([UUID].self, forKey: .first) ?? []
        guard !isReferrers else {
            self = .referrers(model: model, count: count, first: first)
            return
        }
        self = .relatedCount(
            model: model, property: try values.decode(String.self, forKey: .property), count: count,
            allowed: try values.decode(ModelCount.self, forKey: .allowed), first: first
        )
    }
}
