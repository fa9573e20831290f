public import Foundation

/// What stands against a delete: the store would refuse it.
public enum DeleteObstacle: Sendable, Hashable, Codable {
    /// So many records of a model stay and refer to some that would go, or are linked with them, and the delete rule of these
    /// forbids that. The first of them are named.
    case referrers(model: String, count: Int, first: [UUID] = [])
    /// So many records of a model stay and would be left with another number of related records than the property allows.
    /// The first of them are named.
    case relatedCount(model: String, property: String, count: Int, allowed: ModelCount, first: [UUID] = [])
}

extension DeleteObstacle {
    private enum CodingKeys: CodingKey { case referrers, relatedCount }
    private enum ValueKeys: CodingKey { case model, property, count, allowed, first }

    /// A store of before a deploy names no records.
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
