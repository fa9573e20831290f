/// The search for the highest rate that a server takes.
struct Ramp: Sendable {
    let limit: LimitPlan
    private(set) var steps: [RampStep] = []
    /// Of the highest rate that held; of the lowest that was tried while none has.
    private(set) var best: LoadPart.Outcome?
    private var halvings = 0

    init(limit: LimitPlan) {
        self.limit = limit
    }

    mutating func add(_ step: RampStep, _ outcome: LoadPart.Outcome) {
        if highest == nil || step.holds && step.rate > (highest ?? 0) { best = outcome }
        add(step)
    }

    /// Without what was measured.
    mutating func add(_ step: RampStep) {
        if lowestTooMuch != nil, highest != nil { halvings += 1 }
        steps.append(step)
    }

    /// Actions a second; nil where no rate held that was tried.
    var highest: Double? { steps.filter(\.holds).map(\.rate).max() }
    private var lowestTooMuch: Double? { steps.filter { !$0.holds }.map(\.rate).min() }
    /// Whether a rate was too much: else the highest is only where the search ended.
    var isBounded: Bool { lowestTooMuch != nil }

    /// What to try next; nil when the limit is known well enough, or lies beyond all rates that are tried.
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

    /// What was found, for people.
    var text: String {
        switch highest {
        case nil: "not even \(Figure.text(lowestTooMuch ?? 0)) actions a second hold; the figures are of that rate"
        case let highest? where isBounded: "\(Figure.text(highest)) actions a second hold; the figures are of that step"
        case let highest?:
            "not found: \(Figure.text(highest)) actions a second hold, and no higher rate was tried; the figures are of that step"
        }
    }
}

/// One rate, and how the server took it.
struct RampStep: Sendable, Hashable, Encodable {
    /// Actions a second that were due, and that were done.
    let rate: Double
    let done: Double
    /// Of all actions, from when they were due, in milliseconds.
    let p50: Double
    let p99: Double
    /// Of the requests, 0 to 1.
    let errorShare: Double
    /// Why it was too much; nil where it was not.
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
                "\(Figure.grouped(outcome.unsent)) actions could not be begun: no connection was free"
            } else if errors > limit.errorShare {
                "\(Figure.percent(errors)) of the requests failed"
            } else if p99 > limit.p99.milliseconds {
                "p99 of \(Figure.milliseconds(p99)) is more than \(Figure.milliseconds(limit.p99.milliseconds))"
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

    /// For people.
    var text: String {
        "\(Figure.text(rate)) a second: p50 \(Figure.milliseconds(p50)), p99 \(Figure.milliseconds(p99))"
            + (reason.map { ", too much: \($0)" } ?? ", holds")
    }
}
