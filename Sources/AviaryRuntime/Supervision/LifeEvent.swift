/// What whoever runs the server is told: one line each.
enum LifeEvent: Sendable, Hashable {
    case started(Role, pid: Int32)
    case restarted(Role, pid: Int32, count: Int)
    case ready(Role, pid: Int32, after: Duration)
    case died(Role, pid: Int32, ProcessEnd, restartAfter: Duration?)
    case draining(Role, pid: Int32)
    case replaced(Role, pid: Int32, by: Int32)
    case ended(Role, pid: Int32, ProcessEnd)
    case killed(Role, pid: Int32, reason: String)
    case notStarted(Role, reason: String, tryAfter: Duration)
    /// It could not start for a reason that passes, and is tried again unless that is nil.
    case postponed(Role, pid: Int32, tryAfter: Duration?)
    case halted(Role, reason: String, tryAfter: Duration)
    case deployBegun(SchemaChangeKind, steps: [String])
    /// A deploy waits for it, longer than it should.
    case waiting(Role, pid: Int32?)
    case deployFinished(SchemaChangeKind, after: Duration)
    case deployRefused(reason: String)
    /// It was begun and could not be finished.
    case deployReturns(reason: String)
    case deployGivenUp(reason: String, schemaChanged: Bool)
    case ending(Ending)
}
