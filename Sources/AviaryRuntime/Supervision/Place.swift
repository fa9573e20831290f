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
