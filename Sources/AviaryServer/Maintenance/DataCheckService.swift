import AviaryDomain
import Foundation
import Logging
import ServiceLifecycle

/// Checks the store's data by the clock, in the process that owns the store: on a connection and a thread of its own
/// that gives way to everything else. What it found lies beside the store, for all processes.
struct DataCheckService: Service {
    static let variable = "AVIARY_CHECK_DATA_EVERY"
    /// Seconds.
    static let standardInterval: TimeInterval = 86_400
    /// Of its time it works so much, and pauses for the rest.
    static let workShare = 0.25

    /// Seconds between two; nil for none.
    let interval: TimeInterval?
    let storage: any DataCheckStorage
    let logger: Logger
    let work: DataCheckWork
    var now: @Sendable () -> Date = { Date() }

    /// Seconds: how often the clock is looked at, which may have been set.
    private static let longestPause: TimeInterval = 60
    /// Seconds until a check that came to no end is tried again.
    private static let retry: TimeInterval = 3_600

    func run() async throws {
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

    /// Checks once, and keeps what is known then.
    func check(_ known: inout DataCheckState) async {
        do {
            let report = try await work.run()
            known.last = report
            known.failure = nil
            keep(known)
            tell(report)
        } catch {
            // Who ends the server knows why it came to no end.
            if work.isInterrupted() { return }
            known.failure = error.redactedText
            keep(known)
            logger.error("a check of the data came to no end", error: error)
        }
    }

    private func tell(_ report: DataCheckReport) {
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

    /// In steps: a shutdown must not wait for it.
    private func pause(_ seconds: TimeInterval) async {
        let end = ContinuousClock.now + .seconds(max(0.05, seconds))
        while ContinuousClock.now < end, !work.isInterrupted(), !Task.isCancelled {
            // Cancelled, it ends at once, and so does the loop.
            try? await Task.sleep(for: min(.milliseconds(250), end - ContinuousClock.now))
        }
    }
}

/// Checks of the data, as the store's side offers them.
struct DataCheckWork: Sendable {
    /// Checks all, until it is interrupted.
    let run: @Sendable () async throws -> DataCheckReport
    let interrupt: @Sendable () -> Void
    let isInterrupted: @Sendable () -> Bool
}
