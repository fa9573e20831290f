/// A deploy: the change from the running programs to the one that is on disk now.
struct RollingDeployment: Sendable, Hashable {
    let target: ProgramID
    let begun: Duration
    /// The rollout; nil while the program is asked whether its schema fits.
    var rollout: Rollout?
}

/// The replacement of programs, and its order.
struct Rollout: Sendable, Hashable {
    let change: SchemaChangeKind
    /// The program that each slot is to have in the end.
    var targets: [ManagedRole: ProgramID]
    /// The program that each slot had before.
    let previous: [ManagedRole: ProgramID]
    /// The reason for the rollback; nil when this is not one.
    var reasonForReturn: String?
    /// Indicates whether the new program's store was ready once. The file has its schema then.
    var storeWasReady = false
    /// Indicates whether the new store takes longer than it should. The log has reported it.
    var isLate = false

    var isReturn: Bool { reasonForReturn != nil }
    /// Indicates whether the schema has changed. From then on, the old program's store must not open the file.
    var hasChangedSchema: Bool { change != .none && storeWasReady }
}

/// The kind of change that a program would make to the store's schema.
package enum SchemaChangeKind: String, Sendable, Hashable, Codable {
    case none
    /// A change after which processes of the old program can still read.
    case additive
    /// A change before which all processes of the old program must have ended.
    case exclusive
}

/// A program's answer to the question whether it can take over.
package enum CompatibilityResult: Sendable, Hashable {
    case fits(SchemaChangeKind, steps: [String])
    /// A refusal of the program itself, which cannot take over.
    case refused(reason: String)
    /// A program that gave no usable answer.
    case unusable(reason: String)
}

// Deploys: the change from the running programs to the one that is on disk.
extension SupervisorState {
    mutating func reload() {
        guard ending == nil else { return }
        wantsDeploy = true
        guard let rollout = deploy?.rollout, rollout.isLate else { return }
        if rollout.isReturn {
            finishRollout(rollout)
        } else {
            abandon(rollout, .unwanted(role: "\(ManagedRole.store)"))
        }
    }

    /// Handles a store that is not ready in time during a rollout.
    mutating func storeIsLate() {
        guard let rollout = deploy?.rollout, slots[.store]?.program == rollout.targets[.store], !isReady(.store) else {
            return
        }
        if rollout.change == .none, !rollout.isReturn {
            return abandon(rollout, .late(role: "\(ManagedRole.store)", after: bounds.storeReadiness))
        }
        deploy?.rollout?.isLate = true
        emit(.waiting(.store, pid: slots[.store]?.current.flatMap { processes[$0]?.pid }))
        wait(.lateStore, for: bounds.storeReadiness)
    }

    /// Begins a deploy if one was requested and none runs.
    ///
    /// All requests during a deploy lead to a single further one.
    mutating func beginDeployIfWanted() {
        guard wantsDeploy, hasServed, deploy == nil, !isAsking else { return }
        wantsDeploy = false
        let target = newProgram()
        deploy = RollingDeployment(target: target, begun: now)
        isAsking = true
        actions.append(.ask(target))
    }

    mutating func compatibilityChecked(_ program: ProgramID, _ compatibility: CompatibilityResult) {
        isAsking = false
        guard ending == nil, let deploy, deploy.target == program else { return }
        switch compatibility {
        case .fits(let change, let steps):
            emit(.deployBegun(change, steps: steps))
            let rollout = Rollout(
                change: change, targets: slots.mapValues { _ in program }, previous: slots.mapValues(\.program)
            )
            self.deploy?.rollout = rollout
            if change == .exclusive { endWorkers() }
        case .refused(let reason), .unusable(let reason):
            self.deploy = nil
            emit(.deployRefused(reason: reason))
        }
    }

    /// Ends the workers that cannot read the file once the new store has changed it.
    ///
    /// Connections wait in the socket for the new workers.
    private mutating func endWorkers() {
        workersMayRun = false
        for role in workerRoles { cancel(.restart(role)) }
        for process in workerProcesses { drain(process.id) }
    }

    /// Takes the next step of a rollout, if there is one and it does not have to wait.
    mutating func roll() {
        guard let rollout = deploy?.rollout else { return }
        if rollout.change == .exclusive, !rollout.storeWasReady, !rollout.isReturn {
            guard workerProcesses.isEmpty else { return }
            for role in workerRoles { takeTarget(role, rollout) }
        }
        guard storeIsThere(rollout) else { return }
        for role in workerRoles {
            guard let slot = slots[role] else { continue }
            if slot.program == rollout.targets[role] {
                if slot.isHalted { continue }
                guard isReady(role), !processes(of: role).contains(where: \.isDraining) else { return }
            } else {
                if slot.successor == nil, !has(.successor(role)), let program = rollout.targets[role] {
                    cancel(.restart(role))
                    let successor = launch(role, from: program)
                    slots[role]?.successor = successor
                }
                return
            }
        }
        finishRollout(rollout)
    }

    /// Moves the store to its new program. Returns whether it has that program and is ready.
    private mutating func storeIsThere(_ rollout: Rollout) -> Bool {
        guard let store = slots[.store] else { return false }
        if store.program == rollout.targets[.store] {
            if store.isHalted { finishRollout(rollout) }
            return isReady(.store) && deploy != nil
        }
        if let current = store.current { drain(current) }
        if processes(of: .store).isEmpty {
            cancel(.restart(.store))
            takeTarget(.store, rollout)
            cancel(.lateStore)
            wait(.lateStore, for: bounds.storeReadiness)
        }
        return false
    }

    private mutating func takeTarget(_ role: ManagedRole, _ rollout: Rollout) {
        if let program = rollout.targets[role] { slots[role]?.take(program) }
    }

    /// Gives a dead worker's slot the new program.
    ///
    /// A worker is not started again from a program that is being replaced and may no longer fit the file.
    mutating func takeTargetIfRolling(_ role: ManagedRole) {
        guard role.isWorker, let rollout = deploy?.rollout, slots[.store]?.program == rollout.targets[.store],
            rollout.storeWasReady
        else { return }
        takeTarget(role, rollout)
    }

    /// Returns whether a worker has to wait because it is not yet known which program fits the file.
    func mustWaitForSchema(_ role: ManagedRole) -> Bool {
        guard role.isWorker, let rollout = deploy?.rollout, !rollout.isReturn else { return false }
        return rollout.change != .none && !rollout.storeWasReady
            // Workers of the new program wait for the new store even when the schema does not change.
            || slots[role]?.program == rollout.targets[role] && !rollout.storeWasReady
    }

    mutating func storeIsReady(_ process: ManagedProcess) {
        guard let rollout = deploy?.rollout else {
            workersMayRun = true
            return
        }
        let isWanted = rollout.targets[.store] == process.program
        if isWanted {
            deploy?.rollout?.storeWasReady = true
            deploy?.rollout?.isLate = false
            cancel(.lateStore)
        }
        if isWanted || rollout.change != .exclusive { workersMayRun = true }
    }

    /// Handles a successor that is ready: it takes over its slot.
    mutating func takeOver(_ id: ManagedProcessID) {
        guard let process = processes[id], let slot = slots[process.role] else { return }
        let role = process.role
        slots[role]?.successor = nil
        slots[role]?.successorBackoff = RestartBackoff()
        slots[role]?.current = id
        slots[role]?.take(process.program)
        cancel(.restart(role))
        if slot.owesRestart {
            slots[role]?.owesRestart = false
            slots[role]?.restarts += 1
        }
        guard let old = slot.current, let pid = processes[old]?.pid else { return }
        emit(.replaced(role, pid: pid, by: process.pid ?? 0))
        drain(old)
    }

    /// Asks a process to end. No replacement is started for it.
    mutating func drain(_ id: ManagedProcessID) {
        guard let process = processes[id], !process.isDraining else { return }
        processes[id]?.state = .draining
        if slots[process.role]?.current == id { slots[process.role]?.current = nil }
        if slots[process.role]?.successor == id { slots[process.role]?.successor = nil }
        cancel(.lateReadiness(id))
        emit(.draining(process.role, pid: process.pid ?? 0))
        actions.append(.signal(id, .drain))
        wait(.lateEnd(id), for: bounds.draining)
    }

    private mutating func finishRollout(_ rollout: Rollout) {
        guard let deploy else { return }
        self.deploy = nil
        cancel(.lateStore)
        if let reason = rollout.reasonForReturn {
            // The deploy is given up for good, even when the previous store does not start again.
            isDegraded = !roles.allSatisfy(isReady)
            emit(.deployGivenUp(reason: reason, schemaChanged: false))
        } else {
            isDegraded = false
            emit(.deployFinished(rollout.change, after: now - deploy.begun))
        }
    }

    /// Returns whether nobody is served while the process is waited for: it is to change the file, and all
    /// workers have ended.
    func mustNotWait(_ rollout: Rollout, for process: ManagedProcess) -> Bool {
        rollout.change == .exclusive && !rollout.isReturn && !rollout.storeWasReady
            && rollout.targets[process.role] == process.program
    }

    /// Handles a new program that does not run, and rolls back what can be rolled back.
    mutating func abandon(_ rollout: Rollout, _ error: SupervisorError) {
        cancel(.lateStore)
        deploy?.rollout?.isLate = false
        for role in workerRoles {
            cancel(.successor(role))
            slots[role]?.successorBackoff = RestartBackoff()
            if let successor = slots[role]?.successor { drain(successor) }
        }
        if rollout.hasChangedSchema, rollout.change == .exclusive { return fail(error) }
        isDegraded = true
        // A slot without a process needs no successor for the rollback.
        for role in workerRoles where slots[role]?.current == nil {
            if let program = rollout.previous[role] { slots[role]?.take(program) }
        }
        if rollout.hasChangedSchema {
            deploy = nil
            emit(.deployGivenUp(reason: "\(error)", schemaChanged: true))
        } else {
            deploy?.rollout?.targets = rollout.previous
            deploy?.rollout?.reasonForReturn = "\(error)"
            // The file is unchanged, so the workers can read it, even when the previous store cannot start now
            // either.
            workersMayRun = true
            emit(.deployReturns(reason: "\(error)"))
        }
    }
}
