public import Foundation

/// What stands against a delete: the store would refuse it.
public enum DeleteObstacle: Sendable, Hashable, Codable {
    /// So many records of a model stay and refer to some that would go, or are linked with them, and the delete rule of these
    /// forbids that.
    case referrers(model: String, count: Int)
    /// So many records of a model stay and would be left with another number of related records than the property allows.
    /// The first of them are named.
    case relatedCount(model: String, property: String, count: Int, allowed: ModelCount, first: [UUID] = [])
}
