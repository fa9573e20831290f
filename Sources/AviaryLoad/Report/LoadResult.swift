import Foundation

/// What a run found.
package struct LoadResult: Sendable {
    let plan: LoadPlan
    let origin: String
    let launch: String
    let date: Date
    /// Records that were there before.
    let existing: Int
    var duration = Duration.zero
    var measurements: Measurements
    /// Of the writes of the time that is told; all of the run are held against the store.
    var counts: WriteCounts { measurements.writes }
    var unsent = 0
    package var kills: [Kill] = []
    /// How many of its own processes the server says that it had to start again; nil where it has none.
    var restarts: Int?
    var client: ClientUse?
    /// Nil for a server that was running.
    var server: ServerFigures?
    /// Nil for a run at one rate.
    var ramp: Ramp?
    var backup: LoadPart.Backup?
    package var violations = ViolationList()

    init(plan: LoadPlan, origin: String, launch: String, date: Date, existing: Int) {
        self.plan = plan
        self.origin = origin
        self.launch = launch
        self.date = date
        self.existing = existing
        measurements = Measurements(duration: plan.duration)
    }

    mutating func take(_ outcome: LoadPart.Outcome) {
        duration = outcome.duration
        measurements = outcome.measurements
        unsent = outcome.unsent
        kills = outcome.kills
        client = outcome.client
        backup = outcome.backup
        server = outcome.server
    }

    mutating func take(_ ramp: Ramp) {
        if let best = ramp.best { take(best) }
        self.ramp = ramp
    }

    /// Every promise was kept.
    package var isGood: Bool { violations.isEmpty }

    /// A second.
    func perSecond(_ count: Int) -> Double {
        duration > .zero ? (Double(count) / duration.seconds * 10).rounded() / 10 : 0
    }

    var latencies: [String: LatencySummary] { measurements.latencies }

    /// The operations in the order in which they are read: each action, then its steps.
    var operations: [(name: String, figures: OperationFigures)] {
        measurements.operations.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) }
    }
}
