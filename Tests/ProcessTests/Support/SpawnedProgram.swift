import Foundation
import TestSupport
import Testing

/// A process with given descriptors, as a service manager starts one. `Process` does not support that.
final class SpawnedProgram: Sendable {
    let pid: pid_t
    private let exit: Task<Int32, Never>

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - variables: The variables to set in its environment; `$$` stands for its own process number.
    ///   - descriptors: The descriptors that become 3, 4, … in the process.
    ///   - terminal: The descriptor that becomes its standard input; nil for none.
    init(
        _ program: Program, _ arguments: [String], in directory: TestDirectory, variables: [String: String] = [:],
        descriptors: [CInt] = [], terminal: CInt? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The copies have numbers above those that are assigned.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for copy in copies { close(copy) } }
        for (index, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, 3 + CInt(index))
        }
        if let terminal { posix_spawn_file_actions_adddup2(&actions, terminal, 0) }
        posix_spawn_file_actions_addopen(&actions, 1, directory.path("output"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, directory.path("errors"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let settings = variables.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: " ")
        let line = try ["/bin/sh", "-c", "\(settings) exec \"$@\"", "sh", program.executable().path] + arguments
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AVIARY_") }
            .merging(["TMPDIR": directory.path]) { _, given in given }.map { "\($0.key)=\($0.value)" }
        var pid: pid_t = 0
        var argumentPointers = line.map { strdup($0) } + [nil]
        var environmentPointers = environment.map { strdup($0) } + [nil]
        defer { (argumentPointers + environmentPointers).forEach { free($0) } }
        let result = Spawning.alone {
            posix_spawn(&pid, "/bin/sh", &actions, nil, &argumentPointers, &environmentPointers)
        }
        try #require(result == 0)
        self.pid = pid
        exit = Task { [pid] in
            await onThread {
                var status: Int32 = 0
                while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
        }
    }

    /// The exit code, after waiting for the end. A signal counts as 128 and its number.
    var exitCode: Int32 {
        get async { await exit.value }
    }

    func send(_ signal: Int32) {
        kill(pid, signal)
    }
}
