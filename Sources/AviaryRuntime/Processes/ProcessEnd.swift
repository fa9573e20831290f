/// How a process ended.
enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    /// - Parameter status: as `waitpid` tells it.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }

    var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): "signal \(signal)"
        }
    }
}
