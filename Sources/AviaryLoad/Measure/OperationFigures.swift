import Histogram

/// What was measured of one operation.
struct OperationFigures: Sendable {
    var latencies = Latencies.histogram(.three)
    /// Of the bodies that were received.
    var bytes = 0
    /// Answers that a server in good order does not give, and those that did not come, by kind.
    var errors: [String: Int] = [:]

    var errorCount: Int { errors.values.reduce(0, +) }

    mutating func add(_ other: OperationFigures) {
        latencies.add(other.latencies)
        bytes += other.bytes
        errors.merge(other.errors, uniquingKeysWith: +)
    }
}

extension OperationFigures: Codable {
    private enum CodingKeys: String, CodingKey {
        case latencies, bytes, errors
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        latencies = try container.decode(HistogramValues.self, forKey: .latencies).histogram(.three)
        bytes = try container.decode(Int.self, forKey: .bytes)
        errors = try container.decode([String: Int].self, forKey: .errors)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(HistogramValues(latencies), forKey: .latencies)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(errors, forKey: .errors)
    }
}
