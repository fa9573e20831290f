extension Fleet {
    func status(supervisor: Int32) -> ProcessStatus {
        func process(_ member: Member) -> ProcessStatus.Process? {
            guard let pid = member.pid, let place = places[member.role] else { return nil }
            return ProcessStatus.Process(
                pid: pid, restarts: place.restarts, replacements: place.replacements, isReady: member.isReady,
                number: member.role.number
            )
        }
        func current(_ role: Role) -> ProcessStatus.Process? {
            places[role]?.current.flatMap { members[$0] }.flatMap(process)
        }
        let all = members.values.sorted { $0.id < $1.id }
        return ProcessStatus(
            supervisor: supervisor, state: state, store: current(.store), workers: workerRoles.compactMap(current),
            coming: all.filter { places[$0.role]?.successor == $0.id }.compactMap(process),
            leaving: all.filter { $0.isDraining && places[$0.role]?.current != $0.id }.compactMap(process)
        )
    }

    private var state: ProcessStatus.State {
        if ending != nil { return .ending }
        if !hasServed { return .starting }
        return deploy == nil ? .serving : .deploying
    }
}
