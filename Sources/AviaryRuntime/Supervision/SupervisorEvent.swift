/// An event that the supervisor handles.
enum SupervisorEvent: Sendable, Hashable {
    /// The beginning of the supervisor.
    case begin
    case started(ManagedProcessID, pid: Int32)
    case startFailed(ManagedProcessID, StartFailure)
    case ready(ManagedProcessID)
    case ended(ManagedProcessID, ProcessTermination)
    case expired(TimerID)
    /// A request to deploy the program that is on disk now.
    case reload
    case compatibilityChecked(ProgramID, CompatibilityResult)
    case end(ShutdownMode)
}

/// The manner in which all processes end.
enum ShutdownMode: Sendable, Hashable {
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

/// The identifier of a timer that the supervisor waits for.
struct TimerID: Sendable, Hashable {
    let number: Int
}

/// An action that the supervisor performs, in the given order.
enum SupervisorAction: Sendable, Hashable {
    /// A start of a process. The result is `.started` or `.startFailed`.
    case start(ManagedProcessID, ManagedRole, ProgramID)
    case signal(ManagedProcessID, Signal)
    /// A timer. The result after the time is `.expired`.
    case wait(TimerID, Duration)
    /// A probe: the program on disk gets this identifier and is asked. The result is `.compatibilityChecked`.
    case ask(ProgramID)
    /// An end of waiting for the answer. There is still one `.compatibilityChecked` event.
    case stopProbing
    /// A release of the program. No process is started from it any more.
    case forget(ProgramID)
    case emit(ProcessLifecycleEvent)
    /// An announcement that every process is ready for the first time.
    case announce
    /// The last action.
    case finish(SupervisorError?)
}

/// A signal that asks or forces a process to end.
enum Signal: Sendable, Hashable {
    case drain, atOnce, kill
}
