/// How long to wait before a process is started again: at once after a long life, a little after a short one, longer and
/// longer after deaths before readiness.
struct Backoff: Sendable, Hashable {
    /// This many deaths in a row before readiness are a crash loop.
    static let mostDeaths = 5
    /// What is ready and lives this long counts as well.
    static let longLife: Duration = .seconds(2)

    private static let first: Duration = .milliseconds(50)
    private static let longest: Duration = .seconds(2)
    /// Short, so that somebody who kills processes for a test does not keep them away; long enough that a process that
    /// dies of its first request, for ever, leaves the machine to others.
    private static let longestAfterReadiness: Duration = .milliseconds(200)
    /// For what ends by itself again and again after it was ready: what it met it will meet again.
    private static let longestAfterFailures: Duration = .seconds(5)
    /// What ends by itself sooner than this has not been well.
    private static let goodLife: Duration = .seconds(30)

    private(set) var deathsInARow = 0
    private var shortLives = 0
    private var failures = 0
    private var failedStarts = 0
    private var postponements = 0

    var isCrashLoop: Bool { deathsInARow >= Self.mostDeaths }

    mutating func started() {
        failedStarts = 0
    }

    mutating func ready() {
        deathsInARow = 0
        postponements = 0
    }

    /// The wait before the next start.
    ///
    /// - Parameters:
    ///   - life: since it was ready; nil when it never was.
    ///   - byItself: Whether it ended with an exit code of its own, and no signal ended it.
    mutating func died(after life: Duration?, byItself: Bool = false) -> Duration {
        guard let life else {
            deathsInARow += 1
            return Self.wait(deathsInARow, atMost: Self.longest)
        }
        deathsInARow = 0
        if byItself, life < Self.goodLife {
            failures += 1
            return Self.wait(failures, atMost: Self.longestAfterFailures)
        }
        if life >= Self.goodLife { failures = 0 }
        guard life < Self.longLife else {
            shortLives = 0
            return .zero
        }
        shortLives += 1
        return Self.wait(shortLives, atMost: Self.longestAfterReadiness)
    }

    /// The wait before the next try after the system had no room for a process.
    mutating func couldNotStart() -> Duration {
        failedStarts += 1
        return Self.wait(failedStarts, atMost: Self.longest)
    }

    /// The wait before the next try of a process that could not start for a reason that passes. Such an end is no death:
    /// it may be repeated for as long as the disk is full.
    mutating func postponed() -> Duration {
        postponements += 1
        return Self.wait(postponements, atMost: Self.longest)
    }

    private static func wait(_ count: Int, atMost longest: Duration) -> Duration {
        var wait = first
        for _ in 1..<max(1, min(count, 16)) { wait *= 2 }
        return min(wait, longest)
    }
}
