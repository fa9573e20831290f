/// What happens to a fleet.
enum FleetEvent: Sendable, Hashable {
    /// The supervisor begins.
    case begin
    case started(MemberID, pid: Int32)
    case notStarted(MemberID, StartFailure)
    case ready(MemberID)
    case ended(MemberID, ProcessEnd)
    case expired(TimerID)
    /// What is on disk now is to take over.
    case reload
    case judged(ProgramID, Judgement)
    case end(Ending)
}

/// How all is ended.
enum Ending: Sendable, Hashable {
    /// What has begun is answered, within a bound.
    case draining
    /// Nobody is waited for.
    case atOnce
}

/// Why a process could not be started.
enum StartFailure: Sendable, Hashable {
    /// The system has no room for it now.
    case noRoom(reason: String)
    /// Nor will it start later.
    case impossible(reason: String)
}

/// A time that the fleet waits for.
struct TimerID: Sendable, Hashable {
    let number: Int
}

/// What the fleet wants done, in this order.
enum FleetAction: Sendable, Hashable {
    /// Start a process; the answer is `.started` or `.notStarted`.
    case start(MemberID, Role, ProgramID)
    case signal(MemberID, Signal)
    /// After the time, `.expired`.
    case wait(TimerID, Duration)
    /// Take what is on disk now as this program and ask it; the answer is `.judged`.
    case ask(ProgramID)
    /// Wait for its answer no longer; there is one all the same.
    case stopAsking
    /// Nothing is started from this program any more.
    case forget(ProgramID)
    case tell(LifeEvent)
    /// Every process is ready for the first time.
    case announce
    /// The last thing.
    case finish(SupervisorError?)
}

/// How a process is told to end.
enum Signal: Sendable, Hashable {
    case drain, atOnce, kill
}
