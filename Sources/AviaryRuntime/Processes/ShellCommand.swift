import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A shell command that runs in a process group of its own, so that the processes that it starts end with it.
package struct ShellCommand: Sendable {
    package enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(signal: Int32)
        /// A command that was stopped before it had ended.
        case ended
        /// A command that could not be started.
        ///
        /// - Parameter reason: A clause.
        case startFailed(reason: String)
    }

    private let command: String
    private let environment: [String: String]
    /// The time that the command may take to end after it was asked to.
    private let grace: Duration

    private static let step: useconds_t = 20_000

    package init(_ command: String, environment: [String: String], grace: Duration = .seconds(5)) {
        self.command = command
        self.environment = environment
        self.grace = grace
    }

    /// Runs the command to its end on the calling thread.
    ///
    /// Its input is empty, and its output goes to standard error.
    ///
    /// - Parameter continues: A function that is called repeatedly. Once it returns `false`, the whole group receives
    ///   SIGTERM, and SIGKILL after the grace period.
    package func run(while continues: () -> Bool) -> End {
        let pid: pid_t
        do {
            pid = try ProgramImage(path: "/bin/sh").spawn(
                arguments: ["-c", "exec </dev/null\n" + command], environment: environment, descriptors: [],
                output: STDERR_FILENO
            )
        } catch {
            return .startFailed(reason: error.reason)
        }
        while true {
            if let end = end(of: pid) { return end }
            guard continues() else {
                endGroup(pid)
                return .ended
            }
            usleep(Self.step)
        }
    }

    /// Returns the end of the process, or nil while it runs.
    private func end(of pid: pid_t) -> End? {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        return switch ProcessTermination(status: status) {
        case .exited(let code): .exited(code)
        case .killed(let signal): .killed(signal: signal)
        }
    }

    /// Ends the process group.
    ///
    /// The system does not reuse the group's number while one of its processes exists, even after its first
    /// process has ended.
    private func endGroup(_ pid: pid_t) {
        kill(-pid, SIGTERM)
        let deadline = ContinuousClock.now + grace
        var isFirstThere = true
        while ContinuousClock.now < deadline {
            if isFirstThere { isFirstThere = end(of: pid) == nil }
            if !isFirstThere, kill(-pid, 0) < 0 { return }
            usleep(Self.step)
        }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while isFirstThere, waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
}
