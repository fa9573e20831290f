package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A command for the shell in a process group of its own, so that what it starts ends with it.
package struct ShellCommand: Sendable {
    package enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(signal: Int32)
        /// It was asked to end before it had.
        case ended
        /// - Parameter reason: A clause.
        case notStarted(reason: String)
    }

    private let command: String
    private let environment: [String: String]
    /// How long what is asked to end may take for that.
    private let grace: Duration

    private static let step: useconds_t = 20_000

    package init(_ command: String, environment: [String: String], grace: Duration = .seconds(5)) {
        self.command = command
        self.environment = environment
        self.grace = grace
    }

    /// Runs it to its end, on the thread that asks. It reads nothing; what it prints goes where our errors go.
    ///
    /// - Parameter goesOn: Asked again and again. Once it says no, all of the group are asked to end, and after a while made to.
    package func run(while goesOn: () -> Bool) -> End {
        let pid: pid_t
        do {
            pid = try ProgramImage(path: "/bin/sh").spawn(
                arguments: ["-c", "exec </dev/null\n" + command], environment: environment, descriptors: [],
                output: STDERR_FILENO
            )
        } catch {
            return .notStarted(reason: error.reason)
        }
        while true {
            if let end = end(of: pid) { return end }
            guard goesOn() else {
                endGroup(pid)
                return .ended
            }
            usleep(Self.step)
        }
    }

    /// Nil while it runs.
    private func end(of pid: pid_t) -> End? {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        return switch ProcessEnd(status: status) {
        case .exited(let code): .exited(code)
        case .killed(let signal): .killed(signal: signal)
        }
    }

    /// The group's number is nobody else's for as long as one of it is there, also when its first process has gone.
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
