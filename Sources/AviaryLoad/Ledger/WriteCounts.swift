/// Of writes, not of requests: a write that is sent three times and acknowledged once is one acknowledged.
struct WriteCounts: Sendable, Hashable, Codable {
    var attempted = 0
    var acknowledged = 0
    var refused = 0
    /// Requests that were left without an answer that tells the outcome.
    var unknown = 0
    var retried = 0
    /// Writes whose outcome stayed unknown to the end.
    var unresolved = 0
    /// How often somebody was told that another had been quicker, and was shown both versions.
    var conflicts = 0

    mutating func count(_ outcome: WriteOutcome) {
        switch outcome {
        case .acknowledged: acknowledged += 1
        case .refused: refused += 1
        case .unknown: unresolved += 1
        }
    }

    mutating func add(_ other: WriteCounts) {
        attempted += other.attempted
        acknowledged += other.acknowledged
        refused += other.refused
        unknown += other.unknown
        retried += other.retried
        unresolved += other.unresolved
        conflicts += other.conflicts
    }
}
