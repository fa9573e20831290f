import Foundation

/// What came out of a run.
struct Measurement {
    let callers: Int
    let duration: Duration
    let latencies: [Duration]
    let batches: Int

    var changeSetsPerSecond: Double { Double(latencies.count) / duration.seconds }

    var report: Report {
        let sorted = latencies.sorted()
        func milliseconds(_ share: Double) -> Double {
            guard let last = sorted.indices.last else { return 0 }
            return sorted[min(last, Int(Double(sorted.count) * share))].seconds * 1000
        }
        return Report(
            callers: callers, rows: sorted.count, batches: batches, seconds: duration.seconds,
            rowsPerSecond: changeSetsPerSecond, p50Milliseconds: milliseconds(0.5), p99Milliseconds: milliseconds(0.99),
            worstMilliseconds: milliseconds(1)
        )
    }

    /// A line of output.
    struct Report: Encodable {
        let callers: Int
        let rows: Int
        let batches: Int
        let seconds: Double
        let rowsPerSecond: Double
        let p50Milliseconds: Double
        let p99Milliseconds: Double
        let worstMilliseconds: Double
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
