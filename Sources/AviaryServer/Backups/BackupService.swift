import AviaryDomain
import Foundation
import Logging
import ServiceLifecycle

/// Takes the server's own backups when they are due, in the process that owns the store. What it knows lies beside the store,
/// so that a new process goes on where the last one was.
struct BackupService: Service {
    let schedule: BackupSchedule?
    let storage: any BackupStorage
    let logger: Logger
    let makeRound: @Sendable (BackupSchedule) -> BackupRound
    var now: @Sendable () -> Date = { Date() }

    /// Seconds: how often the clock is looked at, which may have been set.
    private static let longestPause: TimeInterval = 60
    /// Seconds: how long after the first failure it is tried again, and at most after many, each of which takes twice as long.
    private static let retries: ClosedRange<TimeInterval> = 60...3_600

    func run() async throws {
        guard let schedule else {
            // Nobody is to be warned of backups that nobody wants any more.
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

    /// In steps: a shutdown must not wait for it.
    private func pause(_ seconds: TimeInterval, _ round: BackupRound) async {
        let end = ContinuousClock.now + .seconds(max(0.05, seconds))
        while ContinuousClock.now < end, !round.isInterrupted(), !Task.isCancelled {
            // Cancelled, it ends at once, and so does the loop.
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

/// The backups that a server takes by itself.
struct BackupSchedule: Sendable, Hashable {
    /// Seconds between two.
    let interval: TimeInterval
    let retention: BackupRetention
    /// A command for the shell, run after each.
    let hook: String?
    let includesSecrets: Bool
}

extension BackupSchedule {
    static let intervalVariable = "AVIARY_BACKUP_EVERY"
    static let hourlyVariable = "AVIARY_KEEP_HOURLY"
    static let dailyVariable = "AVIARY_KEEP_DAILY"
    static let monthlyVariable = "AVIARY_KEEP_MONTHLY"
    static let hookVariable = "AVIARY_BACKUP_HOOK"
    static let secretsVariable = "AVIARY_BACKUP_INCLUDE_SECRETS"

    /// By which the store process knows it. Not by flags: a deploy may start an older program, which knows none of them.
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
