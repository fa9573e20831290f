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
