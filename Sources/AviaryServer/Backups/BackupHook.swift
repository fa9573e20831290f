import AviaryRuntime
import Foundation

/// The command that runs after a backup, such as one that copies it elsewhere.
struct BackupHook: Sendable {
    /// For the shell.
    let command: String
    /// After that it is ended, with all that it has started.
    var patience: Duration = .seconds(3600)

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - snapshot: The path of the backup, which it finds in `SNAPSHOT`.
    ///   - interruption: Ends it early when it is asked.
    /// - Returns: Why it failed; nil when it did not.
    func run(snapshot: String, until isInterrupted: @escaping @Sendable () -> Bool = { false }) async -> String? {
        await withCheckedContinuation { continuation in
            // A process is waited for on a thread of its own.
            Thread.detachNewThread { continuation.resume(returning: wait(snapshot, isInterrupted)) }
        }
    }

    /// What this process has, but for what is no business of whoever copies a file.
    static func environment(
        for snapshot: String, from own: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String: String] {
        own.filter { $0.key != MetricsToken.variable && $0.key != MetricsToken.fileVariable }
            .merging(["SNAPSHOT": snapshot]) { _, path in path }
    }

    private func wait(_ snapshot: String, _ isInterrupted: () -> Bool) -> String? {
        let shell = ShellCommand(
            command,
            environment: Self.environment(for: snapshot))
        let deadline = ContinuousClock.now + patience
        return switch shell.run(while: { !isInterrupted() && ContinuousClock.now < deadline }) {
        case .exited(0): nil
        case .exited(let code): "it exited with \(code)."
        case .killed(let signal): "it was ended by signal \(signal)."
        case .ended: isInterrupted() ? "it was ended, because the server ends." : "it took too long and was ended."
        case .notStarted: "it could not be started."
        }
    }
}
