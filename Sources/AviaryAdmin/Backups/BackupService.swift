package import AviaryDomain
import AviaryRuntime
package import Foundation
import Logging
import ServiceLifecycle

/// A service that creates the server's scheduled backups, in the process that owns the store.
///
/// Its state is stored beside the store, so that a new process continues where the last one ended.
struct BackupService: Service {
    let schedule: BackupSchedule?
    let storage: any BackupStorage
    let logger: Logger
    let makeRound: @Sendable (BackupSchedule) -> BackupRound
    /// Completes the snapshots of what killed restores have replaced.
    let saveLeftStores: @Sendable () async -> Void
    /// Ends ``saveLeftStores``. The next start completes what is left.
    let interruptSaving: @Sendable () -> Void
    var now: @Sendable () -> Date = { Date() }

    /// The longest pause in seconds. The service reads the clock at least this often, because the clock may be set.
    private static let longestPause: TimeInterval = 60
    /// The waiting times before a retry in seconds: the one after the first failure, and the longest. Each failure
    /// doubles the time.
    private static let retries: ClosedRange<TimeInterval> = 60...3_600

    func run() async throws {
        await withGracefulShutdownHandler {
            await saveLeftStores()
        } onGracefulShutdown: {
            interruptSaving()
        }
        guard let schedule else {
            // Without a schedule there must be no warnings about missing backups.
            keep(nil)
            return try await gracefulShutdown()
        }
        let round = makeRound(schedule)
        await withGracefulShutdownHandler {
            await takeBackups(schedule, round)
        } onGracefulShutdown: {
            round.interrupt()
        }
    }

    private func takeBackups(_ schedule: BackupSchedule, _ round: BackupRound) async {
        var known = storage.backupState() ?? BackupState(interval: schedule.interval, since: now())
        if known.interval != schedule.interval { known = known.with(interval: schedule.interval, since: now()) }
        keep(known)
        var wasLate = false, failures = 0
        while !round.isInterrupted(), !Task.isCancelled {
            if known.isDue(at: now()) {
                await round.run(&known, now: now, keep: keep)
                keep(known)
                failures = known.failure == nil ? 0 : failures + 1
                if failures > 0 {
                    let wait = min(Self.retries.lowerBound * pow(2, Double(failures - 1)), Self.retries.upperBound)
                    await pause(min(schedule.interval, wait), round)
                }
            } else {
                await pause(min(known.nextDue.timeIntervalSince(now()), Self.longestPause), round)
            }
            let isLate = known.isLate(at: now())
            if isLate, !wasLate { logger.warning("the last backup is too long ago") }
            wasLate = isLate
        }
    }

    private func keep(_ known: BackupState?) {
        do {
            try storage.keep(known)
        } catch {
            logger.warning("what is known of the backups could not be written", error: error)
        }
    }

    /// Waits in short steps, so that a shutdown is not delayed.
    private func pause(_ seconds: TimeInterval, _ round: BackupRound) async {
        let end = ContinuousClock.now + .seconds(max(0.05, seconds))
        while ContinuousClock.now < end, !round.isInterrupted(), !Task.isCancelled {
            // A cancelled sleep ends at once, and the loop with it.
            try? await Task.sleep(for: min(.milliseconds(250), end - ContinuousClock.now))
        }
    }
}

extension BackupState {
    fileprivate func with(interval: TimeInterval, since: Date) -> BackupState {
        var state = BackupState(interval: interval, since: since)
        state.lastSuccess = lastSuccess
        state.lastFile = lastFile
        state.failure = failure
        state.hookFailure = hookFailure
        return state
    }
}

/// The schedule of the backups that a server creates by itself.
package struct BackupSchedule: Sendable, Hashable {
    /// The interval between two backups in seconds.
    let interval: TimeInterval
    let retention: BackupRetention
    /// A shell command that runs after each backup, or nil.
    let hook: String?
    let includesSecrets: Bool

    package init(interval: TimeInterval, retention: BackupRetention, hook: String?, includesSecrets: Bool) {
        self.interval = interval
        self.retention = retention
        self.hook = hook
        self.includesSecrets = includesSecrets
    }
}

extension BackupSchedule {
    package static let intervalVariable = "AVIARY_BACKUP_EVERY"
    package static let hourlyVariable = "AVIARY_KEEP_HOURLY"
    package static let dailyVariable = "AVIARY_KEEP_DAILY"
    package static let monthlyVariable = "AVIARY_KEEP_MONTHLY"
    package static let hookVariable = "AVIARY_BACKUP_HOOK"
    package static let secretsVariable = "AVIARY_BACKUP_INCLUDE_SECRETS"

    /// The variables that pass the schedule to the store process. They are not flags, because a deploy may start an
    /// older program that does not know the flags.
    var environment: [String: String] {
        var variables = [
            Self.intervalVariable: "\(interval)s", Self.hourlyVariable: "\(retention.hourly)",
            Self.dailyVariable: "\(retention.daily)", Self.monthlyVariable: "\(retention.monthly)",
            Self.secretsVariable: includesSecrets ? "1" : "",
        ]
        variables[Self.hookVariable] = hook
        return variables
    }
}

/// A scheduled backup: the snapshot, its test restore, its event, and the removal of older snapshots.
struct BackupRound: Sendable {
    let schedule: BackupSchedule
    let storage: any BackupStorage
    let snapshots: any SnapshotRepository
    let interrupt: @Sendable () -> Void
    let isInterrupted: @Sendable () -> Bool
    let logger: Logger
    /// A closure that records the backup of a file in the audit log.
    var record: @Sendable (String) async -> Void = { _ in }

    /// Creates one backup.
    ///
    /// - Parameters:
    ///   - state: The backup state, which this function updates.
    ///   - keep: A closure that stores the state. It is called before the hook runs, so that a new backup is known
    ///     at once.
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
            // If the server is being stopped, an interrupted backup is not a failure.
            if isInterrupted() { return }
            state.failure = error.redactedText
            logger.error("a backup failed", error: error)
        }
    }

    /// Tests that a snapshot can be restored.
    ///
    /// A snapshot that fails the test does not count as a backup, and older ones stay. It is removed, because the
    /// next attempt needs the same space.
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

/// The command that runs after a backup, for example to copy it elsewhere.
struct BackupHook: Sendable {
    /// The command for the shell.
    let command: String
    /// The time limit. After it the command is ended, with all processes that it has started.
    var patience: Duration = .seconds(3600)

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - snapshot: The path of the backup, which the command receives in `SNAPSHOT`.
    ///   - isInterrupted: A closure that returns whether the command should be ended early.
    /// - Returns: The reason for a failure, or nil on success.
    func run(snapshot: String, until isInterrupted: @escaping @Sendable () -> Bool = { false }) async -> String? {
        await withCheckedContinuation { continuation in
            // Waiting for a process blocks, so it needs a thread of its own.
            Thread.detachNewThread { continuation.resume(returning: wait(snapshot, isInterrupted)) }
        }
    }

    /// Returns the environment of the command: that of this process with `SNAPSHOT`, without the token for metrics.
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
        case .startFailed: "it could not be started."
        }
    }
}
