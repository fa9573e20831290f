import Histogram

/// What was measured since somebody last looked: for the line that tells how it goes.
struct RecentFigures: Sendable {
    var requests = 0
    var failed = 0
    var latencies = Latencies.histogram(.two)

    /// Takes in what another process measured meanwhile.
    mutating func add(_ other: RecentFigures) {
        requests += other.requests
        failed += other.failed
        latencies.add(other.latencies)
    }
}

extension RecentFigures: Codable {
    private enum CodingKeys: String, CodingKey { case requests, failed, latencies }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        requests = try container.decode(Int.self, forKey: .requests)
        failed = try container.decode(Int.self, forKey: .failed)
        latencies = try container.decode(HistogramValues.self, forKey: .latencies).histogram(.two)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(requests, forKey: .requests)
        try container.encode(failed, forKey: .failed)
        try container.encode(HistogramValues(latencies), forKey: .latencies)
    }
}
