/// When a rate is more than the server takes.
package struct LimitPlan: Sendable, Hashable {
    /// Of all actions, from when they were due.
    package let p99: Duration
    /// The share of requests that may fail, 0 to 1.
    package let errorShare: Double

    /// How much the rate grows from one step to the next, and how often the gap is halved at the end.
    static let growth = 1.5, halvings = 3
    /// How often a first rate that is too much is halved until one holds.
    static let mostDescents = 10
    static let mostSteps = 40
    /// What is begun of what was due, at least: a client that cannot keep up measures nothing.
    static let begunShare = 0.98

    package init(p99: Duration, errorShare: Double) throws(LoadPlanError) {
        guard p99 > .zero else { throw LoadPlanError("--limit-p99 must be more than nothing, such as 250ms.") }
        guard errorShare >= 0, errorShare < 1 else {
            throw LoadPlanError("--limit-errors is a share of the requests: from 0 to less than 1, such as 0.01.")
        }
        self.p99 = p99
        self.errorShare = errorShare
    }
}
