import Foundation

/// The command that runs after a backup, such as one that copies it elsewhere.
struct BackupHook: Sendable {
    /// For the shell.
    let command: String
    /// After that it is ended.
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

    private func wait(_ snapshot: String, _ isInterrupted: () -> Bool) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(["SNAPSHOT": snapshot]) { _, path in path }
        process.standardInput = FileHandle.nullDevice
        // Standard output is for what the server says itself.
        process.standardOutput = FileHandle.standardError
        do {
            try process.run()
        } catch {
            return "it could not be started."
        }
        let deadline = ContinuousClock.now + patience
        while process.isRunning {
            if isInterrupted() || ContinuousClock.now > deadline {
                process.terminate()
                return isInterrupted() ? "it was ended, because the server ends." : "it took too long and was ended."
            }
            usleep(20_000)
        }
        guard process.terminationStatus != 0 || process.terminationReason != .exit else { return nil }
        let end = process.terminationReason == .exit ? "it exited with" : "it was ended by signal"
        return "\(end) \(process.terminationStatus)."
    }
}
