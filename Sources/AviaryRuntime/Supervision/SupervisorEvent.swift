/// An event of a fleet.
enum FleetEvent: Sendable, Hashable {
    /// The beginning of the supervisor.
    case begin
    case started(MemberID, pid: Int32)
    case notStarted(MemberID, StartFailure)
    case ready(MemberID)
    case ended(MemberID, ProcessEnd)
    case expired(TimerID)
    /// A request to deploy the program that is on disk now.
    case reload
    case judged(ProgramID, Judgement)
    case end(Ending)
}

/// The manner in which all processes end.
enum Ending: Sendable, Hashable {
    /// An end that answers the requests that have begun, within a time limit.
    case draining
    /// An end that does not wait for idle clients, within a shorter time limit.
    case atOnce
}

/// The reason why a process could not be started.
enum StartFailure: Sendable, Hashable {
    /// A temporary lack of the system's resources.
    case noRoom(reason: String)
    /// A failure that will not pass: the process cannot start later either.
    case impossible(reason: String)
}

/// The identifier of a timer that the fleet waits for.
struct TimerID: Sendable, Hashable {
    let number: Int
}

/// An action that the fleet wants performed, in the given order.
enum FleetAction: Sendable, Hashable {
    /// A start of a process. The result is `.started` or `.notStarted`.
    case start(MemberID, Role, ProgramID)
    case signal(MemberID, Signal)
    /// A timer. The result after the time is `.expired`.
    case wait(TimerID, Duration)
    /// An inquiry: the program on disk gets this identifier and is asked. The result is `.judged`.
    case ask(ProgramID)
    /// An end of waiting for the answer. There is still one `.judged` event.
    case stopAsking
    /// A release of the program. No process is started from it any more.
    case forget(ProgramID)
    case tell(LifeEvent)
    /// An announcement that every process is ready for the first time.
    case announce
    /// The last action.
    case finish(SupervisorError?)
}

/// A signal that asks or forces a process to end.
enum Signal: Sendable, Hashable {
    case drain, atOnce, kill
}
