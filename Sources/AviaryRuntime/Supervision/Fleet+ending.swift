// The workers first, which answer what they have begun; then the store, which commits what it holds.
extension Fleet {
    mutating func fail(_ error: SupervisorError) {
        failure = failure ?? error
        end(.draining)
    }

    mutating func end(_ wanted: Ending) {
        guard ending == nil || ending == .draining && wanted == .atOnce else { return }
        let isFirst = ending == nil
        ending = wanted
        tell(.ending(wanted))
        if isFirst {
            waits = waits.filter { if case .lateEnd = $0.value { true } else { false } }
            wantsDeploy = false
            deploy = nil
            if isAsking { actions.append(.stopAsking) }
        }
        for member in workerMembers {
            members[member.id]?.state = .draining
            actions.append(.signal(member.id, wanted == .atOnce ? .atOnce : .drain))
            cancel(.lateEnd(member.id))
            wait(.lateEnd(member.id), for: wanted == .atOnce ? bounds.endingAtOnce : bounds.draining)
        }
    }

    mutating func finishEnding() {
        guard workerMembers.isEmpty else { return }
        for store in members(of: .store) where !store.isDraining {
            members[store.id]?.state = .draining
            actions.append(.signal(store.id, .drain))
            wait(.lateEnd(store.id), for: bounds.draining)
        }
        if members.isEmpty, !isAsking { finish() }
    }
}
