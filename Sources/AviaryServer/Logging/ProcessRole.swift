/// What a process is there for: how its log lines and metrics name it.
enum ProcessRole: String, Sendable {
    case supervisor, store, worker
    /// Store and worker in one.
    case server
    /// Any other command.
    case command
}
