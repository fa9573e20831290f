/// A search for the highest rate that a server sustains.
struct Ramp: Sendable {
    let limit: LimitPlan
    private(set) var steps: [RampStep] = []
    /// The outcome of the highest rate that held, or of the lowest rate while none has held.
    private(set) var best: LoadPart.Outcome?
    private var halvings = 0

    init(limit: LimitPlan) {
        self.limit = limit
    }

    mutating func add(_ step: RampStep, _ outcome: LoadPart.Outcome) {
        if highest == nil || step.holds && step.rate > (highest ?? 0) { best = outcome }
        add(step)
    }

    /// Adds a step without its measurements.
    mutating func add(_ step: RampStep) {
        if lowestTooMuch != nil, highest != nil { halvings += 1 }
        steps.append(step)
    }

    /// The highest rate that held, in actions per second; nil when none held.
    var highest: Double? { steps.filter(\.holds).map(\.rate).max() }
    private var lowestTooMuch: Double? { steps.filter { !$0.holds }.map(\.rate).min() }
    /// Indicates whether a rate was too high. If not, the highest rate is only the last one that the search tried.
    var isBounded: Bool { lowestTooMuch != nil }

    /// The next rate to try; nil when the limit is known precisely enough or is outside the range of allowed rates.
    var nextRate: Double? {
        switch (highest, lowestTooMuch) {
        case (nil, nil): nil
        case (nil, let tooMuch?):
            steps.count <= LimitPlan.mostDescents && tooMuch / 2 >= LoadPlan.lowestRate ? tooMuch / 2 : nil
        case (let highest?, nil):
            highest < LoadPlan.highestRate ? min(highest * LimitPlan.growth, LoadPlan.highestRate) : nil
        case (let highest?, let tooMuch?):
            halvings < LimitPlan.halvings ? (highest + tooMuch) / 2 : nil
        }
    }

    /// The result of the search as text.
    var text: String {
        switch highest {
        case nil:
            "not even \(NumberFormat.text(lowestTooMuch ?? 0)) actions a second hold; the figures are of that rate"
        case let highest? where isBounded:
            "\(NumberFormat.text(highest)) actions a second hold; the figures are of that step"
        case let highest?:
            "not found: \(NumberFormat.text(highest)) actions a second hold, and no higher rate was tried; the figures are of that step"
        }
    }
}

/// A step of the search: one rate, and the results at that rate.
struct RampStep: Sendable, Hashable, Encodable {
    /// The number of actions due per second. `done` is the number of actions done per second.
    let rate: Double
    let done: Double
    /// The median latency of all actions in milliseconds, measured from the moment at which they were due; `p99` is
    /// the 99th percentile.
    let p50: Double
    let p99: Double
    /// The share of failed requests, 0 to 1.
    let errorShare: Double
    /// The reason why the rate was too high; nil when it held.
    let reason: String?

    var holds: Bool { reason == nil }

    init(rate: Double, done: Double, p50: Double, p99: Double, errorShare: Double, reason: String?) {
        self.rate = rate
        self.done = done
        self.p50 = p50
        self.p99 = p99
        self.errorShare = errorShare
        self.reason = reason
    }

    init(rate: Double, outcome: LoadPart.Outcome, limit: LimitPlan) {
        let measured = outcome.measurements
        let due = Double(measured.actions + outcome.unsent)
        let errors = measured.requests > 0 ? Double(measured.failedRequests) / Double(measured.requests) : 1
        let p99 = measured.all.milliseconds(99)
        let reason: String? =
            if measured.actions == 0 {
                "nothing was answered"
            } else if Double(measured.actions) < due * LimitPlan.begunShare {
                "\(NumberFormat.grouped(outcome.unsent)) actions could not be begun: no connection was free"
            } else if errors > limit.errorShare {
                "\(NumberFormat.percent(errors)) of the requests failed"
            } else if p99 > limit.p99.milliseconds {
                "p99 of \(NumberFormat.milliseconds(p99)) is more than \(NumberFormat.milliseconds(limit.p99.milliseconds))"
            } else {
                nil
            }
        self.init(
            rate: rate, done: Double(measured.actions) / outcome.duration.seconds, p50: measured.all.milliseconds(50),
            p99: p99,
            errorShare: errors,
            reason: reason.map { $0 + (outcome.client.isBottleneck ? "; the client is the bottleneck" : "") }
        )
    }

    /// The step as text.
    var text: String {
        "\(NumberFormat.text(rate)) a second: p50 \(NumberFormat.milliseconds(p50)), p99 \(NumberFormat.milliseconds(p99))"
            + (reason.map { ", too much: \($0)" } ?? ", holds")
    }
}
