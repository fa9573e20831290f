/// The state machine that decides what to do about events of the server's processes.
///
/// Events go in, actions come out. It reads no clock and makes no system calls, so that every order of events can
/// be tested.
///
/// After every event it compares the processes that exist with those that should exist, and takes the next step.
/// It follows no plan that an unforeseen event could break.
struct SupervisorState: Sendable {
    /// The limits on the time that processes may take.
    struct Bounds: Sendable, Hashable {
        /// The time that a process has to end after it was asked to.
        ///
        /// It is a little longer than the process allows itself.
        var draining: Duration = .seconds(12)
        var endingAtOnce: Duration = .seconds(3)
        /// The time from a worker's start to its readiness.
        ///
        /// The store has no limit, because it may be changing its file.
        var workerReadiness: Duration = .seconds(60)
        /// The time from the old store's end to the new one's readiness.
        ///
        /// A new program that does not change the file must be ready by then. For one that changes the file, the
        /// log reports that it takes longer.
        var storeReadiness: Duration = .seconds(60)
        /// The time for which a slot stays empty when no program runs in it while others serve.
        ///
        /// The cause may be fixed by then.
        var halt: Duration = .seconds(10)
    }

    enum Wait: Sendable, Hashable {
        case restart(ManagedRole)
        case successor(ManagedRole)
        case lateEnd(ManagedProcessID)
        case lateReadiness(ManagedProcessID)
        case halt(ManagedRole)
        case lateStore
    }

    let workers: Int
    let bounds: Bounds
    var slots: [ManagedRole: Slot] = [:]
    /// The processes that have not ended.
    var processes: [ManagedProcessID: ManagedProcess] = [:]
    var waits: [TimerID: Wait] = [:]
    var deploy: RollingDeployment?
    /// Indicates whether a program is being asked. Its process, too, must end before the supervisor has finished.
    var isAsking = false
    var wantsDeploy = false
    var ending: ShutdownMode?
    var failure: SupervisorError?
    /// Indicates whether workers may read the file, which the store creates and changes.
    var workersMayRun = false
    /// Indicates whether the store was ready once. The first workers start together with it, and wait for it themselves.
    var storeWasReady = false
    var hasServed = false
    /// Indicates whether a deploy was not finished. The running programs may not all fit the file.
    var isDegraded = false
    private(set) var isFinished = false
    var now: Duration = .zero
    var actions: [SupervisorAction] = []
    var known: Set<ProgramID> = [.own]
    private var lastProcess = 0
    private var lastTimer = 0
    private var lastProgram = ProgramID.own.number

    init(workers: Int, bounds: Bounds = Bounds()) {
        self.workers = workers
        self.bounds = bounds
        for role in roles { slots[role] = Slot(program: .own) }
    }

    /// The roles, with the store first.
    var roles: [ManagedRole] { [.store] + workerRoles }
    var workerRoles: [ManagedRole] { (0..<workers).map(ManagedRole.worker) }

    /// Handles an event.
    ///
    /// - Parameter now: The time of a monotonic clock.
    /// - Returns: The actions to perform, in this order.
    mutating func handle(_ event: SupervisorEvent, at now: Duration) -> [SupervisorAction] {
        guard !isFinished else { return [] }
        self.now = now
        actions = []
        switch event {
        case .begin: break
        case .started(let id, let pid): started(id, pid)
        case .startFailed(let id, let failure): startFailed(id, failure)
        case .ready(let id): ready(id)
        case .ended(let id, let end): ended(id, end)
        case .expired(let timer): expired(timer)
        case .reload: reload()
        case .compatibilityChecked(let program, let compatibility): compatibilityChecked(program, compatibility)
        case .end(let ending): end(ending)
        }
        settle()
        return actions
    }

    private mutating func settle() {
        if ending == nil {
            beginDeployIfWanted()
            roll()
            startMissing()
            // The end of one deploy may be the beginning of the next.
            beginDeployIfWanted()
            announceOnce()
        }
        if ending != nil { finishEnding() }
        if !isFinished { forgetPrograms() }
    }

    private mutating func announceOnce() {
        guard !hasServed, roles.allSatisfy(isReady) else { return }
        hasServed = true
        actions.append(.announce)
        beginDeployIfWanted()
    }

    private mutating func forgetPrograms() {
        var used = Set(slots.values.map(\.program))
        if let deploy {
            used.insert(deploy.target)
            if let rollout = deploy.rollout { used.formUnion(rollout.previous.values) }
        }
        for program in known.subtracting(used).sorted() { actions.append(.forget(program)) }
        known = used
    }

    mutating func finish() {
        isFinished = true
        waits = [:]
        actions.append(.finish(failure))
    }

    // MARK: State

    func isReady(_ role: ManagedRole) -> Bool {
        slots[role]?.current.flatMap { processes[$0] }?.isReady ?? false
    }

    func has(_ wait: Wait) -> Bool {
        waits.values.contains(wait)
    }

    func processes(of role: ManagedRole) -> [ManagedProcess] {
        processes.values.filter { $0.role == role }.sorted { $0.id < $1.id }
    }

    var workerProcesses: [ManagedProcess] {
        processes.values.filter(\.role.isWorker).sorted { $0.id < $1.id }
    }

    // MARK: Basic steps

    mutating func wait(_ wait: Wait, for time: Duration) {
        lastTimer += 1
        waits[TimerID(number: lastTimer)] = wait
        actions.append(.wait(TimerID(number: lastTimer), time))
    }

    mutating func cancel(_ wait: Wait) {
        waits = waits.filter { $0.value != wait }
    }

    mutating func emit(_ event: ProcessLifecycleEvent) {
        actions.append(.emit(event))
    }

    mutating func launch(_ role: ManagedRole, from program: ProgramID) -> ManagedProcessID {
        lastProcess += 1
        let process = ManagedProcess(
            id: ManagedProcessID(number: lastProcess), role: role, program: program, begun: now)
        processes[process.id] = process
        actions.append(.start(process.id, role, program))
        return process.id
    }

    mutating func newProgram() -> ProgramID {
        lastProgram += 1
        let program = ProgramID(number: lastProgram)
        known.insert(program)
        return program
    }
}

extension SupervisorState {
    func status(supervisor: Int32) -> ProcessStatus {
        func status(of process: ManagedProcess) -> ProcessStatus.Process? {
            guard let pid = process.pid, let slot = slots[process.role] else { return nil }
            return ProcessStatus.Process(
                pid: pid, restarts: slot.restarts, replacements: slot.replacements, isReady: process.isReady,
                number: process.role.number
            )
        }
        func current(_ role: ManagedRole) -> ProcessStatus.Process? {
            slots[role]?.current.flatMap { processes[$0] }.flatMap(status(of:))
        }
        let all = processes.values.sorted { $0.id < $1.id }
        return ProcessStatus(
            supervisor: supervisor, state: state, store: current(.store), workers: workerRoles.compactMap(current),
            coming: all.filter { slots[$0.role]?.successor == $0.id }.compactMap(status(of:)),
            leaving: all.filter { $0.isDraining && slots[$0.role]?.current != $0.id }.compactMap(status(of:))
        )
    }

    private var state: ProcessStatus.State {
        if ending != nil { return .ending }
        if !hasServed { return .starting }
        return deploy == nil ? .serving : .deploying
    }
}

// The workers end first and answer the requests that they have begun. Then the store ends and commits its open
// batch.
extension SupervisorState {
    mutating func fail(_ error: SupervisorError) {
        failure = failure ?? error
        end(.draining)
    }

    mutating func end(_ wanted: ShutdownMode) {
        guard ending == nil || ending == .draining && wanted == .atOnce else { return }
        let isFirst = ending == nil
        ending = wanted
        emit(.ending(wanted))
        if isFirst {
            waits = waits.filter { if case .lateEnd = $0.value { true } else { false } }
            wantsDeploy = false
            deploy = nil
            if isAsking { actions.append(.stopProbing) }
        }
        for process in workerProcesses {
            processes[process.id]?.state = .draining
            actions.append(.signal(process.id, wanted == .atOnce ? .atOnce : .drain))
            cancel(.lateEnd(process.id))
            wait(.lateEnd(process.id), for: wanted == .atOnce ? bounds.endingAtOnce : bounds.draining)
        }
    }

    mutating func finishEnding() {
        guard workerProcesses.isEmpty else { return }
        for store in processes(of: .store) where !store.isDraining {
            processes[store.id]?.state = .draining
            actions.append(.signal(store.id, .drain))
            wait(.lateEnd(store.id), for: bounds.draining)
        }
        if processes.isEmpty, !isAsking { finish() }
    }
}
