/// What a delete takes along, as counts by model.
public struct DeletePlan: Sendable, Hashable, Codable {
    /// The records asked for that exist.
    public let requested: Int
    /// Records that delete rules delete too, by model name, without those asked for.
    public let cascades: [String: Int]
    /// Records that lose a reference, by model name.
    public let nullifies: [String: Int]
    /// Records that stay and lose links to some that go, by model name.
    public let unlinks: [String: Int]
    /// What stands against the delete. The store tells them when it is asked for a plan; when it refuses a delete, it names the
    /// first.
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

    public var cascadeCount: Int { cascades.values.reduce(0, +) }
}

extension DeletePlan {
    /// A store of before the deploy tells nothing of links, nor of obstacles.
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
