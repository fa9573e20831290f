import Logging

/// An event that the operator sees as one line of the log.
enum ProcessLifecycleEvent: Sendable, Hashable {
    case started(ManagedRole, pid: Int32)
    case restarted(ManagedRole, pid: Int32, count: Int)
    case ready(ManagedRole, pid: Int32, after: Duration)
    case died(ManagedRole, pid: Int32, ProcessTermination, restartAfter: Duration?)
    case draining(ManagedRole, pid: Int32)
    case replaced(ManagedRole, pid: Int32, by: Int32)
    case ended(ManagedRole, pid: Int32, ProcessTermination)
    case killed(ManagedRole, pid: Int32, reason: String)
    case startFailed(ManagedRole, reason: String, tryAfter: Duration)
    /// A start that failed for a temporary reason.
    ///
    /// The process is tried again after the time, or not at all when that is nil.
    case postponed(ManagedRole, pid: Int32, tryAfter: Duration?)
    case halted(ManagedRole, reason: String, tryAfter: Duration)
    case deployBegun(SchemaChangeKind, steps: [String])
    /// A deploy that waits for the process longer than it should.
    case waiting(ManagedRole, pid: Int32?)
    case deployFinished(SchemaChangeKind, after: Duration)
    case deployRefused(reason: String)
    /// A deploy that was begun and could not be finished. It is rolled back.
    case deployReturns(reason: String)
    case deployGivenUp(reason: String, schemaChanged: Bool)
    case ending(ShutdownMode)
}

extension ProcessLifecycleEvent {
    func log(to logger: Logger) {
        switch self {
        case .started(let role, let pid):
            logger.notice("\(role) started", metadata: ["pid": "\(pid)"])
        case .restarted(let role, let pid, let count):
            logger.notice("\(role) started again", metadata: ["pid": "\(pid)", "restarts": "\(count)"])
        case .ready(let role, let pid, let time):
            logger.notice("\(role) is ready", metadata: ["pid": "\(pid)", "after": "\(time.milliseconds) ms"])
        case .died(let role, let pid, let end, let wait):
            var metadata: Logger.Metadata = ["pid": "\(pid)", "end": "\(end)"]
            if let wait { metadata["next"] = "in \(wait.milliseconds) ms" }
            logger.warning("\(role) died", metadata: metadata)
        case .draining(let role, let pid):
            logger.notice("\(role) is draining", metadata: ["pid": "\(pid)"])
        case .replaced(let role, let pid, let new):
            logger.notice("\(role) is replaced", metadata: ["pid": "\(pid)", "by": "\(new)"])
        case .ended(let role, let pid, let end):
            logger.notice("\(role) ended", metadata: ["pid": "\(pid)", "end": "\(end)"])
        case .killed(let role, let pid, let reason):
            logger.error("\(role) is killed: \(reason)", metadata: ["pid": "\(pid)"])
        case .startFailed(let role, let reason, let wait):
            logger.error("\(role) could not be started: \(reason)", metadata: ["next": "in \(wait.milliseconds) ms"])
        case .postponed(let role, let pid, let wait):
            var metadata: Logger.Metadata = ["pid": "\(pid)"]
            if let wait { metadata["next"] = "in \(wait.milliseconds) ms" }
            logger.error("\(role) cannot start yet; what it said stands above", metadata: metadata)
        case .halted(let role, let reason, let wait):
            logger.critical("\(role) stays away: \(reason)", metadata: ["next": "in \(wait.milliseconds) ms"])
        case .deployBegun(let change, let steps):
            var metadata: Logger.Metadata = ["change": "\(change.rawValue)"]
            if !steps.isEmpty { metadata["steps"] = "\(steps.joined(separator: "; "))" }
            logger.notice("deploy begun", metadata: metadata)
        case .waiting(let role, let pid):
            logger.warning(
                "the deploy waits for the \(role) to be ready; SIGHUP gives it up",
                metadata: pid.map { ["pid": "\($0)"] }
            )
        case .deployFinished(let change, let time):
            logger.notice(
                "deploy finished", metadata: ["change": "\(change.rawValue)", "after": "\(time.milliseconds) ms"])
        case .deployRefused(let reason):
            logger.error("deploy refused, nothing was ended: \(reason)")
        case .deployReturns(let reason):
            logger.error("deploy given up, the program before it returns: \(reason)")
        case .deployGivenUp(let reason, let schemaChanged):
            logger.error(
                schemaChanged
                    ? "deploy given up after the schema had changed; workers that were not replaced go on: \(reason)"
                    : "deploy given up: \(reason)"
            )
        case .ending(.draining): logger.notice("the server is ending")
        case .ending(.atOnce): logger.notice("the server is ending at once")
        }
    }
}

extension Duration {
    /// The number of whole milliseconds.
    var milliseconds: Int64 {
        components.seconds.multipliedReportingOverflow(by: 1000).partialValue + components.attoseconds
            / 1_000_000_000_000_000
    }
}

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
