import Foundation

/// What a run found.
package struct LoadResult: Sendable {
    let plan: LoadPlan
    let origin: String
    let launch: String
    let date: Date
    let duration: Duration
    let measurements: Recorder.Measurements
    let counts: WriteCounts
    let unsent: Int
    package let kills: [Kill]
    /// How many of its own processes the server says that it had to start again; nil where it has none.
    let restarts: Int?
    package let violations: ViolationList

    /// Every promise was kept.
    package var isGood: Bool { violations.isEmpty }

    /// A second.
    func perSecond(_ count: Int) -> Double {
        duration > .zero ? (Double(count) / duration.seconds * 10).rounded() / 10 : 0
    }

    var latencies: [String: LatencySummary] { measurements.latencies.summaries }
}
