import AviaryDomain
package import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// A service that checks the store's data on a schedule, in the process that owns the store.
///
/// The check has a connection and a thread of its own, and yields to all other work. Its result is stored beside
/// the store, for all processes.
package struct DataCheckService: Service {
    package static let variable = "AVIARY_CHECK_DATA_EVERY"
    /// The standard interval, in seconds.
    package static let standardInterval: TimeInterval = 86_400
    /// The share of time that a check works. It pauses for the rest.
    static let workShare = 0.25

    /// The time between two checks, in seconds; nil for no checks.
    let interval: TimeInterval?
    let storage: any DataCheckStorage
    let logger: Logger
    let work: DataCheckWork
    var now: @Sendable () -> Date = { Date() }

    /// The longest time between two looks at the clock, in seconds. Somebody may set the clock.
    private static let longestPause: TimeInterval = 60
    /// The time until a check that did not finish is tried again, in seconds.
    private static let retry: TimeInterval = 3_600

    package func run() async throws {
        guard let interval else {
            keep(nil)
            return try await gracefulShutdown()
        }
        await withGracefulShutdownHandler {
            await checkByTheClock(every: interval)
        } onGracefulShutdown: {
            work.interrupt()
        }
    }

    private func checkByTheClock(every interval: TimeInterval) async {
        var known = storage.dataCheckState() ?? DataCheckState(interval: interval, since: now())
        if known.interval != interval {
            known = DataCheckState(interval: interval, since: known.since, last: known.last)
        }
        keep(known)
        while !work.isInterrupted(), !Task.isCancelled {
            guard known.isDue(at: now()) else {
                await pause(min(known.nextDue.timeIntervalSince(now()), Self.longestPause))
                continue
            }
            await check(&known)
            if known.failure != nil { await pause(min(interval, Self.retry)) }
        }
    }

    /// Checks once and stores the result.
    func check(_ known: inout DataCheckState) async {
        do {
            let report = try await work.run()
            known.last = report
            known.failure = nil
            keep(known)
            logReport(report)
        } catch {
            // The check was interrupted because the server ends, which needs no log line.
            if work.isInterrupted() { return }
            known.failure = error.redactedText
            keep(known)
            logger.error("a check of the data came to no end", error: error)
        }
    }

    private func logReport(_ report: DataCheckReport) {
        let metadata: Logger.Metadata = [
            "records": "\(report.records)", "entries": "\(report.entries)", "problems": "\(report.problemCount)",
            "seconds": "\(Int(report.seconds))",
        ]
        guard report.problemCount > 0 else { return logger.info("the data was checked", metadata: metadata) }
        logger.error("a check of the data found problems", metadata: metadata)
        for problem in report.problems { logger.error("a problem of the data", metadata: ["problem": "\(problem)"]) }
    }

    private func keep(_ known: DataCheckState?) {
        do {
            try storage.keep(known)
        } catch {
            logger.warning("what is known of the data checks could not be written", error: error)
        }
    }

    /// Pauses in steps, so that a shutdown does not wait for it.
    private func pause(_ seconds: TimeInterval) async {
        let end = ContinuousClock.now + .seconds(max(0.05, seconds))
        while ContinuousClock.now < end, !work.isInterrupted(), !Task.isCancelled {
            // When the task is cancelled, the sleep ends at once, and so does the loop.
            try? await Task.sleep(for: min(.milliseconds(250), end - ContinuousClock.now))
        }
    }
}

/// The checks of the data that the store's module offers.
struct DataCheckWork: Sendable {
    /// Checks all data, unless it is interrupted.
    let run: @Sendable () async throws -> DataCheckReport
    let interrupt: @Sendable () -> Void
    let isInterrupted: @Sendable () -> Bool
}

/// Reports of damage that a read of this process has met. They make the store check its file, at most once a
/// minute. The store's own statements may never read the damaged place.
final class DamageReports: Sendable {
    private static let pause: Duration = .seconds(60)

    private let last = Mutex<ContinuousClock.Instant?>(nil)
    private let checkFile: @Sendable () async -> Void

    init(checkFile: @escaping @Sendable () async -> Void) {
        self.checkFile = checkFile
    }

    /// Starts a task that asks for the check, when one is due. The read does not wait for it.
    func report() {
        guard isDue(at: .now) else { return }
        Task { [checkFile] in await checkFile() }
    }

    /// Returns whether the store should be asked now. A result of `true` counts as asking it.
    func isDue(at time: ContinuousClock.Instant) -> Bool {
        last.withLock { last in
            if let last, time < last + Self.pause { return false }
            last = time
            return true
        }
    }
}
