import AviaryDomain
import AviaryRuntime
import Foundation
import Logging

/// One backup of the server's own: taken, proven, told, and then older ones go.
struct BackupRound: Sendable {
    let schedule: BackupSchedule
    let storage: any BackupStorage
    let snapshots: any SnapshotRepository
    let interrupt: @Sendable () -> Void
    let isInterrupted: @Sendable () -> Bool
    let logger: Logger
    /// Writes down among the events that the file was taken.
    var record: @Sendable (String) async -> Void = { _ in }

    /// - Parameters:
    ///   - state: What was known before; afterwards what is known now.
    ///   - keep: Writes down what is known: that there is a backup must not wait for the command after it.
    func run(_ state: inout BackupState, now: @Sendable () -> Date, keep: (BackupState) -> Void) async {
        do {
            let summary = try await snapshots.create(
                at: .scheduled, level: 1, includingSecrets: schedule.includesSecrets, includingHistory: true)
            guard let path = summary.path else { return }
            try await prove(path)
            state.lastSuccess = now()
            state.lastFile = URL(filePath: path).lastPathComponent
            state.failure = nil
            logger.notice(
                "a backup was taken",
                metadata: [
                    "file": "\(state.lastFile ?? "")", "records": "\(summary.records)", "commit": "\(summary.commit)",
                ])
            await record(state.lastFile ?? "")
            removeOlder()
            keep(state)
            state.hookFailure = await hookFailure(path)
        } catch {
            // Who ends the server knows why there is none.
            if isInterrupted() { return }
            state.failure = error.redactedText
            logger.error("a backup failed", error: error)
        }
    }

    /// What cannot be restored is no backup, and lets none go. It goes itself, for the next attempt writes as much again.
    private func prove(_ path: String) async throws {
        do {
            _ = try await snapshots.prove(path)
        } catch {
            do {
                try storage.remove(URL(filePath: path).lastPathComponent)
            } catch {
                logger.warning("a backup that was not proven could not be removed", error: error)
            }
            throw error
        }
    }

    private func removeOlder() {
        for file in schedule.retention.removable(storage.files()) {
            do {
                try storage.remove(file.name)
                logger.info("an older backup was removed", metadata: ["file": "\(file.name)"])
            } catch {
                logger.warning("an older backup could not be removed", error: error)
            }
        }
    }

    private func hookFailure(_ path: String) async -> String? {
        guard let hook = schedule.hook else { return nil }
        let failure = await BackupHook(command: hook).run(snapshot: path, until: isInterrupted)
        if let failure { logger.error("the command after a backup failed", metadata: ["reason": "\(failure)"]) }
        return failure
    }
}

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
