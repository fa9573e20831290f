// Also what a server of an earlier version wrote can be read: a deploy does not replace the supervisor.
extension ProcessStatus {
    private enum Key: String, CodingKey {
        case supervisor, supervisorStart, state, store, workers, coming, leaving
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        supervisor = try values.decode(Int32.self, forKey: .supervisor)
        supervisorStart = try values.decodeIfPresent(UInt64.self, forKey: .supervisorStart)
        state = try values.decodeIfPresent(State.self, forKey: .state) ?? .serving
        store = try values.decodeIfPresent(Process.self, forKey: .store)
        workers = try values.decode([Process].self, forKey: .workers)
        coming = try values.decodeIfPresent([Process].self, forKey: .coming) ?? []
        leaving = try values.decodeIfPresent([Process].self, forKey: .leaving) ?? []
    }
}

extension ProcessStatus.Process {
    private enum Key: String, CodingKey {
        case pid, restarts, replacements, isReady, number
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        pid = try values.decode(Int32.self, forKey: .pid)
        restarts = try values.decode(Int.self, forKey: .restarts)
        replacements = try values.decodeIfPresent(Int.self, forKey: .replacements) ?? 0
        isReady = try values.decode(Bool.self, forKey: .isReady)
        number = try values.decodeIfPresent(Int.self, forKey: .number)
    }
}
