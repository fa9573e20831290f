public import Foundation

/// The effects of a delete on other records, counted by model.
public struct DeletePlan: Sendable, Hashable, Codable {
    /// The number of requested records that exist.
    public let requested: Int
    /// The number of records that delete rules delete in addition, by model name. The requested records are not
    /// included.
    public let cascades: [String: Int]
    /// The number of records that lose a reference, by model name.
    public let nullifies: [String: Int]
    /// The number of records that remain and lose links to deleted records, by model name.
    public let unlinks: [String: Int]

    /// The reasons for which the store would reject the delete.
    ///
    /// When you ask the store for a plan, it lists the obstacles. When it rejects a delete, its error names the first.
    public let obstacles: [DeleteObstacle]

    package init(
        requested: Int, cascades: [String: Int], nullifies: [String: Int], unlinks: [String: Int] = [:],
        obstacles: [DeleteObstacle] = []
    ) {
        self.requested = requested
        self.cascades = cascades
        self.nullifies = nullifies
        self.unlinks = unlinks
        self.obstacles = obstacles
    }

    /// The total number of records that delete rules delete in addition to the requested ones.
    public var cascadeCount: Int { cascades.values.reduce(0, +) }
}

extension DeletePlan {
    /// Creates a plan by decoding. A plan of a store process of an older version has no counts of links and no
    /// obstacles.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            requested: try container.decode(Int.self, forKey: .requested),
            cascades: try container.decode([String: Int].self, forKey: .cascades),
            nullifies: try container.decode([String: Int].self, forKey: .nullifies),
            unlinks: try container.decodeIfPresent([String: Int].self, forKey: .unlinks) ?? [:],
            obstacles: try container.decodeIfPresent([DeleteObstacle].self, forKey: .obstacles) ?? []
        )
    }
}

/// A reason for which the store would reject a delete.
public enum DeleteObstacle: Sendable, Hashable, Codable {
    /// Remaining records that refer to deleted records, or are linked with them, although a delete rule forbids
    /// this.
    ///
    /// `model` is the model of these records, `count` is their number, and `first` contains the ids of the first of
    /// them.
    case referrers(model: String, count: Int, first: [UUID] = [])

    /// Remaining records that would have a number of related records that their property does not allow.
    ///
    /// `model` is the model of these records, `count` is their number, and `first` contains the ids of the first of
    /// them.
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
