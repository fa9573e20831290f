/// The identifier of a process, assigned by the supervisor. Unlike the system's process numbers, it is never reused.
struct ManagedProcessID: Sendable, Hashable, Comparable {
    let number: Int

    static func < (first: ManagedProcessID, second: ManagedProcessID) -> Bool { first.number < second.number }
}

/// The identifier of a program that processes are started from.
///
/// It stands for the file that was opened, and not for a path, whose file may change.
struct ProgramID: Sendable, Hashable, Comparable {
    let number: Int

    /// The supervisor's own program.
    static let own = ProgramID(number: 0)

    static func < (first: ProgramID, second: ProgramID) -> Bool { first.number < second.number }
}

/// A supervised process, from its start to its end.
struct ManagedProcess: Sendable, Hashable {
    enum State: Sendable, Hashable {
        case starting
        case ready(since: Duration)
        /// A process that was asked to end.
        case draining
    }

    let id: ManagedProcessID
    let role: ManagedRole
    let program: ProgramID
    /// The time at which the process was started, or could begin its work.
    var begun: Duration
    /// The process number; nil until the system has started the process.
    var pid: Int32?
    var state = State.starting

    var isReady: Bool {
        if case .ready = state { true } else { false }
    }

    var isDraining: Bool { state == .draining }
}

/// The slot of one process: the store's, or that of one worker. Processes come and go in it.
struct Slot: Sendable, Hashable {
    /// The program that the next process in this slot is started from.
    var program: ProgramID
    /// The process in this slot, starting or ready.
    var current: ManagedProcessID?
    /// The process of another program that takes over this slot as soon as it is ready.
    var successor: ManagedProcessID?
    var backoff = RestartBackoff()
    var successorBackoff = RestartBackoff()
    /// The number of processes that were started because another had died.
    var restarts = 0
    /// The number of times that one program took over from another.
    var replacements = 0
    /// Indicates whether a process has died and none has been started for it yet.
    var owesRestart = false
    /// Indicates whether this slot stays empty for some time, or until the next deploy, because its program does
    /// not start.
    var isHalted = false

    init(program: ProgramID) {
        self.program = program
    }

    /// Assigns another program to this slot.
    mutating func take(_ program: ProgramID) {
        guard program != self.program else { return }
        self.program = program
        backoff = RestartBackoff()
        isHalted = false
        replacements += 1
    }
}

/// The role of a process of the server.
enum ManagedRole: Sendable, Hashable, CustomStringConvertible {
    case store
    /// A worker with the index of its slot, from 0.
    case worker(Int)

    var isWorker: Bool { self != .store }

    /// The number of the worker, from 1; nil for the store.
    var number: Int? {
        if case .worker(let index) = self { index + 1 } else { nil }
    }

    var description: String {
        number.map { "worker \($0)" } ?? "store"
    }
}
