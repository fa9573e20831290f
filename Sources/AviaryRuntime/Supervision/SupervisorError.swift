/// Why a supervisor could not start, or gave up.
package enum SupervisorError: Error, Sendable, Hashable, CustomStringConvertible {
    case system(reason: String)
    case cannotStart(role: String, reason: String)
    /// The process says that starting it again will not help.
    case refused(role: String)
    case late(role: String, after: Duration)
    /// Somebody asked for another deploy instead.
    case unwanted(role: String)
    case crashLoop(role: String, deaths: Int, last: String)

    package var description: String {
        switch self {
        case .system(let reason): "The system refused what a supervisor needs: \(reason)."
        case .cannotStart(let role, let reason): "The \(role) cannot be started: \(reason)."
        case .refused(let role): "The \(role) cannot start; what it said stands above."
        case .late(let role, let time): "The \(role) was not ready within \(time.milliseconds / 1000) s."
        case .unwanted(let role): "The \(role) was not ready, and was not to be waited for any longer."
        case .crashLoop(let role, let deaths, let last):
            "The \(role) died \(deaths) times in a row before it was ready (\(last)). Look at what it said above, mend that and start again."
        }
    }
}
