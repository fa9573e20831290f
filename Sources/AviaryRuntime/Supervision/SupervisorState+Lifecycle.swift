// Starts, readiness and deaths of processes.
extension SupervisorState {
    /// Starts a process in every place that should have one and has none.
    mutating func startMissing() {
        for role in roles {
            guard let place = places[role], place.current == nil, place.successor == nil, !place.isHalted,
                !has(.restart(role)), !has(.successor(role)), role == .store || workersMayRun,
                // A second store could not open the file while the first one has it.
                role != .store || members(of: .store).isEmpty,
                !mustWaitForSchema(role)
            else { continue }
            takeTargetIfRolling(role)
            let id = launch(role, from: places[role]?.program ?? place.program)
            places[role]?.current = id
        }
    }

    mutating func started(_ id: ManagedProcessID, _ pid: Int32) {
        guard let member = members[id], let place = places[member.role] else { return }
        members[id]?.pid = pid
        if place.successor == id {
            places[member.role]?.successorBackoff.started()
        } else {
            places[member.role]?.backoff.started()
        }
        if place.owesRestart, place.current == id {
            places[member.role]?.owesRestart = false
            places[member.role]?.restarts += 1
            emit(.restarted(member.role, pid: pid, count: place.restarts + 1))
        } else {
            emit(.started(member.role, pid: pid))
        }
        if member.role.isWorker { wait(.lateReadiness(id), for: bounds.workerReadiness) }
    }

    mutating func startFailed(_ id: ManagedProcessID, _ failure: StartFailure) {
        guard let member = members.removeValue(forKey: id), let place = places[member.role] else { return }
        let role = member.role
        let isSuccessor = place.successor == id
        if isSuccessor { places[role]?.successor = nil } else { places[role]?.current = nil }
        guard ending == nil else { return }
        switch failure {
        case .noRoom(let reason):
            let pause =
                (isSuccessor
                    ? places[role]?.successorBackoff.recordStartFailure() : places[role]?.backoff.recordStartFailure())
                ?? .zero
            wait(isSuccessor ? .successor(role) : .restart(role), for: pause)
            emit(.startFailed(role, reason: reason, tryAfter: pause))
        case .impossible(let reason):
            failed(member, .cannotStart(role: "\(role)", reason: reason))
        }
    }

    mutating func ready(_ id: ManagedProcessID) {
        guard let member = members[id], member.state == .starting, let pid = member.pid else { return }
        let role = member.role
        members[id]?.state = .ready(since: now)
        cancel(.lateReadiness(id))
        emit(.ready(role, pid: pid, after: now - member.begun))
        if places[role]?.successor == id {
            takeOver(id)
        } else {
            places[role]?.backoff.ready()
        }
        if role == .store { storeIsReady(member) }
    }

    mutating func ended(_ id: ManagedProcessID, _ end: ProcessTermination) {
        guard let member = members.removeValue(forKey: id) else { return }
        cancel(.lateEnd(id))
        cancel(.lateReadiness(id))
        let (role, pid) = (member.role, member.pid ?? 0)
        let isSuccessor = places[role]?.successor == id
        if isSuccessor { places[role]?.successor = nil }
        if places[role]?.current == id { places[role]?.current = nil }
        guard !member.isDraining, ending == nil else { return emit(.ended(role, pid: pid, end)) }
        if member.state == .starting, end == .exited(ProcessPlan.postponementExitCode) {
            return postponed(member, pid, isSuccessor: isSuccessor)
        }
        if isSuccessor {
            successorDied(member, pid, end)
        } else {
            currentDied(member, pid, end)
        }
    }

    /// Handles a process that could not start for a temporary reason.
    ///
    /// It is retried for as long as needed, and this does not count as a death.
    private mutating func postponed(_ member: ManagedProcess, _ pid: Int32, isSuccessor: Bool) {
        let role = member.role
        if let rollout = deploy?.rollout, mustNotWait(rollout, for: member) {
            emit(.postponed(role, pid: pid, tryAfter: nil))
            return abandon(rollout, .refused(role: "\(role)"))
        }
        let pause =
            (isSuccessor ? places[role]?.successorBackoff.postponed() : places[role]?.backoff.postponed()) ?? .zero
        emit(.postponed(role, pid: pid, tryAfter: pause))
        wait(isSuccessor ? .successor(role) : .restart(role), for: pause)
    }

    private mutating func currentDied(_ member: ManagedProcess, _ pid: Int32, _ end: ProcessTermination) {
        let role = member.role
        var life: Duration?
        if case .ready(let since) = member.state { life = now - since }
        places[role]?.owesRestart = true
        var isOwnEnd = false
        if case .exited = end { isOwnEnd = true }
        let pause = places[role]?.backoff.died(after: life, byItself: isOwnEnd) ?? .zero
        // Its successor is already starting.
        guard places[role]?.successor == nil, !has(.successor(role)) else {
            return emit(.died(role, pid: pid, end, restartAfter: nil))
        }
        if let error = hopeless(member, end, places[role]?.backoff) {
            emit(.died(role, pid: pid, end, restartAfter: nil))
            return failed(member, error)
        }
        emit(.died(role, pid: pid, end, restartAfter: pause))
        if pause > .zero { wait(.restart(role), for: pause) }
    }

    private mutating func successorDied(_ member: ManagedProcess, _ pid: Int32, _ end: ProcessTermination) {
        let role = member.role
        let pause = places[role]?.successorBackoff.died(after: nil) ?? .zero
        if let error = hopeless(member, end, places[role]?.successorBackoff) {
            emit(.died(role, pid: pid, end, restartAfter: nil))
            return failed(member, error)
        }
        emit(.died(role, pid: pid, end, restartAfter: pause))
        wait(.successor(role), for: pause)
    }

    /// Returns the error when starting the process again would not help, or nil when it is worth another attempt.
    private func hopeless(_ member: ManagedProcess, _ end: ProcessTermination, _ backoff: RestartBackoff?)
        -> SupervisorError?
    {
        if end == .exited(ProcessPlan.refusalExitCode) { return .refused(role: "\(member.role)") }
        guard let backoff, backoff.isCrashLoop else { return nil }
        return .crashLoop(role: "\(member.role)", deaths: backoff.deathsInARow, last: "\(end)")
    }

    /// Handles a program that does not run in this place.
    private mutating func failed(_ member: ManagedProcess, _ error: SupervisorError) {
        if let rollout = deploy?.rollout, !rollout.isReturn {
            if rollout.targets[member.role] == member.program { return abandon(rollout, error) }
            // A process of the old program found the file changed. The new program starts in its place.
            if member.role.isWorker, let target = rollout.targets[member.role] {
                places[member.role]?.take(target); return
            }
        }
        if isDegraded, workerMembers.contains(where: { !$0.isDraining }) {
            // The remaining workers can still serve pages for reading.
            places[member.role]?.isHalted = true
            emit(.halted(member.role, reason: "\(error)", tryAfter: bounds.halt))
            wait(.halt(member.role), for: bounds.halt)
        } else {
            fail(error)
        }
    }

    mutating func expired(_ timer: TimerID) {
        switch waits.removeValue(forKey: timer) {
        case .lateEnd(let id): kill(id, "it did not end in time")
        case .lateReadiness(let id): kill(id, "it was not ready in time")
        case .lateStore: storeIsLate()
        case .halt(let role): places[role]?.isHalted = false
        // Missing processes are started after every event.
        case .restart, .successor, nil: break
        }
    }

    private mutating func kill(_ id: ManagedProcessID, _ reason: String) {
        guard let member = members[id] else { return }
        emit(.killed(member.role, pid: member.pid ?? 0, reason: reason))
        actions.append(.signal(id, .kill))
    }
}
