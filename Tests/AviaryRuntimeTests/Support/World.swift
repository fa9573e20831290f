@testable import AviaryRuntime

/// A simulated environment of a supervisor, without processes.
///
/// It performs the supervisor's actions and produces the events that a test wants.
struct World {
    struct Process: Hashable {
        let id: ManagedProcessID
        let role: ManagedRole
        let program: ProgramID
        let pid: Int32
        var signals: [Signal] = []
    }

    private(set) var state: SupervisorState
    private(set) var now: Duration = .zero
    /// The processes that have not ended, in the order of their starts.
    private(set) var processes: [Process] = []
    private(set) var timers: [(id: TimerID, due: Duration)] = []
    private(set) var asked: [ProgramID] = []
    private(set) var unanswered: ProgramID?
    private(set) var forgotten: Set<ProgramID> = []
    private(set) var events: [ProcessLifecycleEvent] = []
    private(set) var announcements = 0
    private(set) var wasToldToStopAsking = false
    private(set) var finish: [SupervisorError?] = []
    /// The violations of rules that must hold at all times.
    private(set) var violations: [String] = []
    /// The failures that the next starts get, before starts succeed.
    var startFailures: [StartFailure] = []

    init(workers: Int = 2, begin: Bool = true) {
        state = SupervisorState(workers: workers)
        if begin { send(.begin) }
    }

    /// Returns a world in which store and workers are ready.
    static func serving(workers: Int = 2) -> World {
        var world = World(workers: workers)
        world.letAllBecomeReady()
        return world
    }

    mutating func send(_ event: SupervisorEvent) {
        var actions = state.handle(event, at: now)[...]
        while let action = actions.popFirst() {
            guard finish.isEmpty else {
                violations.append("\(action) after the end")
                return
            }
            if let event = perform(action) { actions += state.handle(event, at: now) }
        }
        check()
    }

    private mutating func perform(_ action: SupervisorAction) -> SupervisorEvent? {
        switch action {
        case .start(let id, let role, let program):
            if state.ending != nil { violations.append("\(role) was started while all is ended") }
            if forgotten.contains(program) { violations.append("\(role) was started from a program that was given up") }
            if role == .store, processes.contains(where: { $0.role == .store }) { violations.append("two stores") }
            if !startFailures.isEmpty { return .startFailed(id, startFailures.removeFirst()) }
            let pid = Int32(1000 + id.number)
            processes.append(Process(id: id, role: role, program: program, pid: pid))
            return .started(id, pid: pid)
        case .signal(let id, let signal):
            guard let index = processes.firstIndex(where: { $0.id == id }) else {
                violations.append("a signal to a process that is no more")
                return nil
            }
            processes[index].signals.append(signal)
        case .wait(let id, let time): timers.append((id, now + time))
        case .ask(let program):
            if unanswered != nil { violations.append("two programs are asked at a time") }
            asked.append(program)
            unanswered = program
        case .stopProbing: wasToldToStopAsking = true
        case .forget(let program): forgotten.insert(program)
        case .emit(let event): events.append(event)
        case .announce: announcements += 1
        case .finish(let error): finish.append(error)
        }
        return nil
    }

    private mutating func check() {
        for role in state.workerRoles where processes.filter({ $0.role == role && $0.signals.isEmpty }).count > 2 {
            violations.append("three processes in the slot of \(role)")
        }
        let shown = state.status(supervisor: 1)
        let pids = Set(([shown.store].compactMap { $0 } + shown.workers + shown.coming + shown.leaving).map(\.pid))
        if finish.isEmpty, pids != Set(processes.map(\.pid)) {
            violations.append("the status lies: \(pids) for \(processes.map(\.pid))")
        }
        if !finish.isEmpty, !processes.isEmpty || unanswered != nil { violations.append("the end with processes left") }
    }

    // MARK: Events

    mutating func becomeReady(_ role: ManagedRole) {
        for process in starting where process.role == role { send(.ready(process.id)) }
    }

    /// Ends the newest process in this role.
    mutating func die(_ role: ManagedRole, _ end: ProcessTermination = .killed(signal: 9), after time: Duration = .zero)
    {
        now += time
        guard let process = processes.last(where: { $0.role == role }) else { return }
        self.end(process.id, end)
    }

    mutating func end(_ id: ManagedProcessID, _ end: ProcessTermination) {
        processes.removeAll { $0.id == id }
        send(.ended(id, end))
    }

    /// Ends all processes that were asked to end.
    mutating func letDrainingEnd() {
        while let process = processes.first(where: { !$0.signals.isEmpty }) { end(process.id, .exited(0)) }
    }

    mutating func answer(_ compatibility: CompatibilityResult) {
        guard let program = unanswered else { return }
        unanswered = nil
        send(.compatibilityChecked(program, compatibility))
    }

    mutating func reload(_ compatibility: CompatibilityResult) {
        send(.reload)
        answer(compatibility)
    }

    mutating func pass(_ time: Duration) {
        let end = now + time
        while let next = timers.filter({ $0.due <= end }).min(by: { $0.due < $1.due }) {
            timers.removeAll { $0.id == next.id }
            now = max(now, next.due)
            send(.expired(next.id))
        }
        now = end
    }

    mutating func expire(_ id: TimerID) {
        guard let timer = timers.first(where: { $0.id == id }) else { return }
        timers.removeAll { $0.id == id }
        now = max(now, timer.due)
        send(.expired(id))
    }

    /// Runs until nothing changes any more: processes obey their signals, timers expire, and programs fit.
    mutating func letAllBecomeReady(compatibility: CompatibilityResult = .fits(.none, steps: [])) {
        for _ in 0..<1000 {
            if unanswered != nil {
                answer(compatibility)
            } else if processes.contains(where: { !$0.signals.isEmpty }) {
                letDrainingEnd()
            } else if let process = starting.first {
                send(.ready(process.id))
            } else if let timer = timers.filter({ $0.due - now < .seconds(3) }).min(by: { $0.due < $1.due }) {
                expire(timer.id)
            } else {
                return
            }
        }
        violations.append("it never came to rest")
    }

    // MARK: State

    var starting: [Process] { processes.filter { state.processes[$0.id]?.state == .starting && $0.signals.isEmpty } }
    var ready: [Process] { processes.filter { state.processes[$0.id]?.isReady == true } }

    func processes(_ role: ManagedRole) -> [Process] { processes.filter { $0.role == role } }
    func programs(_ role: ManagedRole) -> [Int] { processes(role).map(\.program.number) }
    func restarts(_ role: ManagedRole) -> Int { state.slots[role]?.restarts ?? -1 }
    func replacements(_ role: ManagedRole) -> Int { state.slots[role]?.replacements ?? -1 }

    var isServing: Bool {
        state.deploy == nil && state.roles.allSatisfy(state.isReady) && processes.count == state.workers + 1
    }
}
