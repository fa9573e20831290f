package import AviaryDomain
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
    var now: @Sendable () -> Date = { Date() }

    /// The longest pause in seconds. The service reads the clock at least this often, because the clock may be set.
    private static let longestPause: TimeInterval = 60
    /// The waiting times before a retry in seconds: the one after the first failure, and the longest. Each failure
    /// doubles the time.
    private static let retries: ClosedRange<TimeInterval> = 60...3_600

    func run() async throws {
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
