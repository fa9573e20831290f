/// The way from the programs that run to the one that is on disk now.
struct Deploy: Sendable, Hashable {
    let target: ProgramID
    let begun: Duration
    /// Nil while the program is asked whether its schema fits.
    var rollout: Rollout?
}

/// What is replaced by what, in which order.
struct Rollout: Sendable, Hashable {
    let change: SchemaChangeKind
    /// The program that each place is to have in the end.
    var targets: [Role: ProgramID]
    /// The program that each place had.
    let previous: [Role: ProgramID]
    /// Why it is the way back; nil when it is not.
    var reasonForReturn: String?
    /// The store of the new program was ready once: the file has its schema.
    var storeWasReady = false
    /// Its store takes longer than one should; whoever runs the server was told.
    var isLate = false

    var isReturn: Bool { reasonForReturn != nil }
    /// From here on the old program's store may not open the file any more.
    var hasChangedSchema: Bool { change != .none && storeWasReady }
}

/// What a program would do to the store's schema.
package enum SchemaChangeKind: String, Sendable, Hashable, Codable {
    case none
    /// Processes of the old program can read on.
    case additive
    /// Processes of the old program must have ended first.
    case exclusive
}

/// What a program said when it was asked whether it can take over.
package enum Judgement: Sendable, Hashable {
    case fits(SchemaChangeKind, steps: [String])
    /// It says itself that it cannot.
    case refused(reason: String)
    /// It gave no answer that could be relied on.
    case unusable(reason: String)
}

// From the programs that run to the one that is on disk.
extension Fleet {
    mutating func reload() {
        guard ending == nil else { return }
        wantsDeploy = true
        guard let rollout = deploy?.rollout, rollout.isLate else { return }
        if rollout.isReturn {
            finishRollout(rollout)
        } else {
            giveUp(rollout, .unwanted(role: "\(Role.store)"))
        }
    }

    /// The store that a rollout waits for is not ready.
    mutating func storeIsLate() {
        guard let rollout = deploy?.rollout, places[.store]?.program == rollout.targets[.store], !isReady(.store) else {
            return
        }
        if rollout.change == .none, !rollout.isReturn {
            return giveUp(rollout, .late(role: "\(Role.store)", after: bounds.storeReadiness))
        }
        deploy?.rollout?.isLate = true
        tell(.waiting(.store, pid: places[.store]?.current.flatMap { members[$0]?.pid }))
        wait(.lateStore, for: bounds.storeReadiness)
    }

    /// One deploy after the other; however often another was asked for meanwhile, it is one.
    mutating func beginDeployIfWanted() {
        guard wantsDeploy, hasServed, deploy == nil, !isAsking else { return }
        wantsDeploy = false
        let target = newProgram()
        deploy = Deploy(target: target, begun: now)
        isAsking = true
        actions.append(.ask(target))
    }

    mutating func judged(_ program: ProgramID, _ judgement: Judgement) {
        isAsking = false
        guard ending == nil, let deploy, deploy.target == program else { return }
        switch judgement {
        case .fits(let change, let steps):
            tell(.deployBegun(change, steps: steps))
            let rollout = Rollout(
                change: change, targets: places.mapValues { _ in program }, previous: places.mapValues(\.program)
            )
            self.deploy?.rollout = rollout
            if change == .exclusive { endWorkers() }
        case .refused(let reason), .unusable(let reason):
            self.deploy = nil
            tell(.deployRefused(reason: reason))
        }
    }

    /// Workers that cannot read what the new store makes of the file; connections wait in the socket for those that can.
    private mutating func endWorkers() {
        workersMayRun = false
        for role in workerRoles { cancel(.restart(role)) }
        for member in workerMembers { drain(member.id) }
    }

    /// Takes the next step of a rollout, if there is one and nothing is to be waited for.
    mutating func roll() {
        guard let rollout = deploy?.rollout else { return }
        if rollout.change == .exclusive, !rollout.storeWasReady, !rollout.isReturn {
            guard workerMembers.isEmpty else { return }
            for role in workerRoles { takeTarget(role, rollout) }
        }
        guard storeIsThere(rollout) else { return }
        for role in workerRoles {
            guard let place = places[role] else { continue }
            if place.program == rollout.targets[role] {
                if place.isHalted { continue }
                guard isReady(role), !members(of: role).contains(where: \.isDraining) else { return }
            } else {
                if place.successor == nil, !has(.successor(role)), let program = rollout.targets[role] {
                    cancel(.restart(role))
                    let successor = launch(role, from: program)
                    places[role]?.successor = successor
                }
                return
            }
        }
        finishRollout(rollout)
    }

    /// Whether the store has its program and is ready; brings it there.
    private mutating func storeIsThere(_ rollout: Rollout) -> Bool {
        guard let store = places[.store] else { return false }
        if store.program == rollout.targets[.store] {
            if store.isHalted { finishRollout(rollout) }
            return isReady(.store) && deploy != nil
        }
        if let current = store.current { drain(current) }
        if members(of: .store).isEmpty {
            cancel(.restart(.store))
            takeTarget(.store, rollout)
            cancel(.lateStore)
            wait(.lateStore, for: bounds.storeReadiness)
        }
        return false
    }

    private mutating func takeTarget(_ role: Role, _ rollout: Rollout) {
        if let program = rollout.targets[role] { places[role]?.take(program) }
    }

    /// A worker that died is not started again from a program that is about to go and that may not fit the file any more.
    mutating func takeTargetIfRolling(_ role: Role) {
        guard role.isWorker, let rollout = deploy?.rollout, places[.store]?.program == rollout.targets[.store],
            rollout.storeWasReady
        else { return }
        takeTarget(role, rollout)
    }

    /// Whether it is not known yet which program fits the file.
    func mustWaitForSchema(_ role: Role) -> Bool {
        guard role.isWorker, let rollout = deploy?.rollout, !rollout.isReturn else { return false }
        return rollout.change != .none && !rollout.storeWasReady
            // Of the new program, also where nothing changes: the new store goes first.
            || places[role]?.program == rollout.targets[role] && !rollout.storeWasReady
    }

    mutating func storeIsReady(_ member: Member) {
        guard let rollout = deploy?.rollout else {
            workersMayRun = true
            return
        }
        let isWanted = rollout.targets[.store] == member.program
        if isWanted {
            deploy?.rollout?.storeWasReady = true
            deploy?.rollout?.isLate = false
            cancel(.lateStore)
        }
        if isWanted || rollout.change != .exclusive { workersMayRun = true }
    }

    /// A successor is ready: its place is its own.
    mutating func takeOver(_ id: MemberID) {
        guard let member = members[id], let place = places[member.role] else { return }
        let role = member.role
        places[role]?.successor = nil
        places[role]?.successorBackoff = Backoff()
        places[role]?.current = id
        places[role]?.take(member.program)
        cancel(.restart(role))
        if place.owesRestart {
            places[role]?.owesRestart = false
            places[role]?.restarts += 1
        }
        guard let old = place.current, let pid = members[old]?.pid else { return }
        tell(.replaced(role, pid: pid, by: member.pid ?? 0))
        drain(old)
    }

    /// Tells a process to end; nothing is started for it.
    mutating func drain(_ id: MemberID) {
        guard let member = members[id], !member.isDraining else { return }
        members[id]?.state = .draining
        if places[member.role]?.current == id { places[member.role]?.current = nil }
        if places[member.role]?.successor == id { places[member.role]?.successor = nil }
        cancel(.lateReadiness(id))
        tell(.draining(member.role, pid: member.pid ?? 0))
        actions.append(.signal(id, .drain))
        wait(.lateEnd(id), for: bounds.draining)
    }

    private mutating func finishRollout(_ rollout: Rollout) {
        guard let deploy else { return }
        self.deploy = nil
        cancel(.lateStore)
        if let reason = rollout.reasonForReturn {
            // Given up for good, also where the store before does not come.
            isDegraded = !roles.allSatisfy(isReady)
            tell(.deployGivenUp(reason: reason, schemaChanged: false))
        } else {
            isDegraded = false
            tell(.deployFinished(rollout.change, after: now - deploy.begun))
        }
    }

    /// Whether nobody is served while the member is waited for: it is to change the file, and all workers have ended.
    func mustNotWait(_ rollout: Rollout, for member: Member) -> Bool {
        rollout.change == .exclusive && !rollout.isReturn && !rollout.storeWasReady
            && rollout.targets[member.role] == member.program
    }

    /// The new program does not run. What can go back goes back.
    mutating func giveUp(_ rollout: Rollout, _ error: SupervisorError) {
        cancel(.lateStore)
        deploy?.rollout?.isLate = false
        for role in workerRoles {
            cancel(.successor(role))
            places[role]?.successorBackoff = Backoff()
            if let successor = places[role]?.successor { drain(successor) }
        }
        if rollout.hasChangedSchema, rollout.change == .exclusive { return fail(error) }
        isDegraded = true
        // A place without a process needs no successor to go back.
        for role in workerRoles where places[role]?.current == nil {
            if let program = rollout.previous[role] { places[role]?.take(program) }
        }
        if rollout.hasChangedSchema {
            deploy = nil
            tell(.deployGivenUp(reason: "\(error)", schemaChanged: true))
        } else {
            deploy?.rollout?.targets = rollout.previous
            deploy?.rollout?.reasonForReturn = "\(error)"
            // The file is as it was, so they can read it, also where the store before cannot start now either.
            workersMayRun = true
            tell(.deployReturns(reason: "\(error)"))
        }
    }
}
