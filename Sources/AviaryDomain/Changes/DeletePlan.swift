/// What a delete takes along, as counts by model.
public struct DeletePlan: Sendable, Hashable, Codable {
    /// The records asked for that exist.
    public let requested: Int
    /// Records that delete rules delete too, by model name, without those asked for.
    public let cascades: [String: Int]
    /// Records that lose a reference, by model name.
    public let nullifies: [String: Int]

    package init(requested: Int, cascades: [String: Int], nullifies: [String: Int]) {
        self.requested = requested
        self.cascades = cascades
        self.nullifies = nullifies
    }

    public var cascadeCount: Int { cascades.values.reduce(0, +) }
}
