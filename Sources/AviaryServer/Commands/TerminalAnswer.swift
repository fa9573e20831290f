import Foundation

/// What somebody types. Signals that end the work only interrupt it by then, so they must end the waiting, too.
enum TerminalAnswer {
    /// Nil when there is none: the input ended, or somebody wants no more.
    static func line() -> String? {
        let before = (signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL))
        defer {
            signal(SIGINT, before.0)
            signal(SIGTERM, before.1)
        }
        return readLine()
    }
}
