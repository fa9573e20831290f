// Starts, readiness and deaths of processes.
extension SupervisorState {
    /// Starts a process in every slot that should have one and has none.
    mutating func startMissing() {
        for role in roles {
            guard let slot = slots[role], slot.current == nil, slot.successor == nil, !slot.isHalted,
                !has(.restart(role)), !has(.successor(role)), role == .store || workersMayRun || isStoreStarting,
                // A second store could not open the file while the first one has it.
                role != .store || processes(of: .store).isEmpty,
                !mustWaitForSchema(role)
            else { continue }
            takeTargetIfRolling(role)
            let id = launch(role, from: slots[role]?.program ?? slot.program)
            slots[role]?.current = id
        }
    }

    /// Indicates whether the store's first process has been started and is not ready.
    private var isStoreStarting: Bool {
        !storeWasReady && slots[.store]?.current.flatMap { processes[$0]?.pid } != nil
    }

    mutating func started(_ id: ManagedProcessID, _ pid: Int32) {
        guard let process = processes[id], let slot = slots[process.role] else { return }
        processes[id]?.pid = pid
        if slot.successor == id {
            slots[process.role]?.successorBackoff.started()
        } else {
            slots[process.role]?.backoff.started()
        }
        if slot.owesRestart, slot.current == id {
            slots[process.role]?.owesRestart = false
            slots[process.role]?.restarts += 1
            emit(.restarted(process.role, pid: pid, count: slot.restarts + 1))
        } else {
            emit(.started(process.role, pid: pid))
        }
        if process.role.isWorker, storeWasReady { wait(.lateReadiness(id), for: bounds.workerReadiness) }
    }

    mutating func startFailed(_ id: ManagedProcessID, _ failure: StartFailure) {
        guard let process = processes.removeValue(forKey: id), let slot = slots[process.role] else { return }
        let role = process.role
        let isSuccessor = slot.successor == id
        if isSuccessor { slots[role]?.successor = nil } else { slots[role]?.current = nil }
        guard ending == nil else { return }
        switch failure {
        case .noRoom(let reason):
            let pause =
                (isSuccessor
                    ? slots[role]?.successorBackoff.recordStartFailure() : slots[role]?.backoff.recordStartFailure())
                ?? .zero
            wait(isSuccessor ? .successor(role) : .restart(role), for: pause)
            emit(.startFailed(role, reason: reason, tryAfter: pause))
        case .impossible(let reason):
            failed(process, .cannotStart(role: "\(role)", reason: reason))
        }
    }

    mutating func ready(_ id: ManagedProcessID) {
        guard let process = processes[id], process.state == .starting, let pid = process.pid else { return }
        let role = process.role
        processes[id]?.state = .ready(since: now)
        cancel(.lateReadiness(id))
        emit(.ready(role, pid: pid, after: now - process.begun))
        if slots[role]?.successor == id {
            takeOver(id)
        } else {
            slots[role]?.backoff.ready()
        }
        if role == .store {
            storeIsReady(process)
            beginFirstWorkers()
        }
    }

    /// Limits the time of the workers that have waited for the store.
    private mutating func beginFirstWorkers() {
        guard !storeWasReady else { return }
        storeWasReady = true
        for process in workerProcesses where process.state == .starting {
            processes[process.id]?.begun = now
            if process.pid != nil { wait(.lateReadiness(process.id), for: bounds.workerReadiness) }
        }
    }

    mutating func ended(_ id: ManagedProcessID, _ end: ProcessTermination) {
        guard let process = processes.removeValue(forKey: id) else { return }
        cancel(.lateEnd(id))
        cancel(.lateReadiness(id))
        let (role, pid) = (process.role, process.pid ?? 0)
        let isSuccessor = slots[role]?.successor == id
        if isSuccessor { slots[role]?.successor = nil }
        if slots[role]?.current == id { slots[role]?.current = nil }
        guard !process.isDraining, ending == nil else { return emit(.ended(role, pid: pid, end)) }
        if process.state == .starting, end == .exited(ProcessPlan.postponementExitCode) {
            return postponed(process, pid, isSuccessor: isSuccessor)
        }
        if isSuccessor {
            successorDied(process, pid, end)
        } else {
            currentDied(process, pid, end)
        }
    }

    /// Handles a process that could not start for a temporary reason.
    ///
    /// It is retried for as long as needed, and this does not count as a death.
    private mutating func postponed(_ process: ManagedProcess, _ pid: Int32, isSuccessor: Bool) {
        let role = process.role
        if let rollout = deploy?.rollout, mustNotWait(rollout, for: process) {
            emit(.postponed(role, pid: pid, tryAfter: nil))
            return abandon(rollout, .refused(role: "\(role)"))
        }
        let pause =
            (isSuccessor ? slots[role]?.successorBackoff.postponed() : slots[role]?.backoff.postponed()) ?? .zero
        emit(.postponed(role, pid: pid, tryAfter: pause))
        wait(isSuccessor ? .successor(role) : .restart(role), for: pause)
    }

    private mutating func currentDied(_ process: ManagedProcess, _ pid: Int32, _ end: ProcessTermination) {
        let role = process.role
        var life: Duration?
        if case .ready(let since) = process.state { life = now - since }
        slots[role]?.owesRestart = true
        var isOwnEnd = false
        if case .exited = end { isOwnEnd = true }
        let pause = slots[role]?.backoff.died(after: life, byItself: isOwnEnd) ?? .zero
        // Its successor is already starting.
        guard slots[role]?.successor == nil, !has(.successor(role)) else {
            return emit(.died(role, pid: pid, end, restartAfter: nil))
        }
        if let error = hopeless(process, end, slots[role]?.backoff) {
            emit(.died(role, pid: pid, end, restartAfter: nil))
            return failed(process, error)
        }
        emit(.died(role, pid: pid, end, restartAfter: pause))
        if pause > .zero { wait(.restart(role), for: pause) }
    }

    private mutating func successorDied(_ process: ManagedProcess, _ pid: Int32, _ end: ProcessTermination) {
        let role = process.role
        let pause = slots[role]?.successorBackoff.died(after: nil) ?? .zero
        if let error = hopeless(process, end, slots[role]?.successorBackoff) {
            emit(.died(role, pid: pid, end, restartAfter: nil))
            return failed(process, error)
        }
        emit(.died(role, pid: pid, end, restartAfter: pause))
        wait(.successor(role), for: pause)
    }

    /// Returns the error when starting the process again would not help, or nil when it is worth another attempt.
    private func hopeless(_ process: ManagedProcess, _ end: ProcessTermination, _ backoff: RestartBackoff?)
        -> SupervisorError?
    {
        if end == .exited(ProcessPlan.refusalExitCode) { return .refused(role: "\(process.role)") }
        guard let backoff, backoff.isCrashLoop else { return nil }
        return .crashLoop(role: "\(process.role)", deaths: backoff.deathsInARow, last: "\(end)")
    }

    /// Handles a program that does not run in this slot.
    private mutating func failed(_ process: ManagedProcess, _ error: SupervisorError) {
        if let rollout = deploy?.rollout, !rollout.isReturn {
            if rollout.targets[process.role] == process.program { return abandon(rollout, error) }
            // A process of the old program found the file changed. The new program starts in its slot.
            if process.role.isWorker, let target = rollout.targets[process.role] {
                slots[process.role]?.take(target); return
            }
        }
        if isDegraded, workerProcesses.contains(where: { !$0.isDraining }) {
            // The remaining workers can still serve pages for reading.
            slots[process.role]?.isHalted = true
            emit(.halted(process.role, reason: "\(error)", tryAfter: bounds.halt))
            wait(.halt(process.role), for: bounds.halt)
        } else {
            fail(error)
        }
    }

    mutating func expired(_ timer: TimerID) {
        switch waits.removeValue(forKey: timer) {
        case .lateEnd(let id): kill(id, "it did not end in time")
        case .lateReadiness(let id): kill(id, "it was not ready in time")
        case .lateStore: storeIsLate()
        case .halt(let role): slots[role]?.isHalted = false
        // Missing processes are started after every event.
        case .restart, .successor, nil: break
        }
    }

    private mutating func kill(_ id: ManagedProcessID, _ reason: String) {
        guard let process = processes[id] else { return }
        emit(.killed(process.role, pid: process.pid ?? 0, reason: reason))
        actions.append(.signal(id, .kill))
    }
}
