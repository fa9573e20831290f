/// A process of the fleet by the number that the fleet gave it. The system uses its own numbers again.
struct MemberID: Sendable, Hashable, Comparable {
    let number: Int

    static func < (first: MemberID, second: MemberID) -> Bool { first.number < second.number }
}

/// A program that processes are started from: not a path, whose file may change, but the file as it was found.
struct ProgramID: Sendable, Hashable, Comparable {
    let number: Int

    /// The supervisor's own.
    static let own = ProgramID(number: 0)

    static func < (first: ProgramID, second: ProgramID) -> Bool { first.number < second.number }
}

/// One process, from its start to its end.
struct Member: Sendable, Hashable {
    enum State: Sendable, Hashable {
        case starting
        case ready(since: Duration)
        /// Was told to end.
        case draining
    }

    let id: MemberID
    let role: Role
    let program: ProgramID
    let begun: Duration
    /// Nil until the system has started it.
    var pid: Int32?
    var state = State.starting

    var isReady: Bool {
        if case .ready = state { true } else { false }
    }

    var isDraining: Bool { state == .draining }
}

/// Where one process is to be: the store's place, or one of the workers'. Processes come and go in it.
struct Place: Sendable, Hashable {
    /// What the next process in it is started from.
    var program: ProgramID
    /// The process that is there, starting or ready.
    var current: MemberID?
    /// The process of another program that is to take its place as soon as it is ready.
    var successor: MemberID?
    var backoff = Backoff()
    var successorBackoff = Backoff()
    /// How often a process was started because another had died.
    var restarts = 0
    /// How often one program took over from another.
    var replacements = 0
    /// A process died and none has been started for it yet.
    var owesRestart = false
    /// Nothing is started here for some time, or until the next deploy: what could be does not start.
    var isHalted = false

    init(program: ProgramID) {
        self.program = program
    }

    /// Another program is to be here from now on.
    mutating func take(_ program: ProgramID) {
        guard program != self.program else { return }
        self.program = program
        backoff = Backoff()
        isHalted = false
        replacements += 1
    }
}

/// What a process of the server is there for.
enum Role: Sendable, Hashable, CustomStringConvertible {
    case store
    /// The place of a worker, from 0.
    case worker(Int)

    var isWorker: Bool { self != .store }

    /// Of a worker, as people count; nil for the store.
    var number: Int? {
        if case .worker(let index) = self { index + 1 } else { nil }
    }

    var description: String {
        number.map { "worker \($0)" } ?? "store"
    }
}
