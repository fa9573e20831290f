/// The waits before a process is started again.
///
/// A process that died after a long life starts again at once. A life is long from 2 seconds after readiness for a
/// death by a signal, and from 30 seconds for an exit with a code of its own. After any other end the wait begins at
/// 50 ms and doubles with each end of the same kind, up to a limit:
///
/// - 200 ms for a death by a signal after readiness,
/// - 2 s for a death before readiness, for a process that the system cannot create, and for one that cannot start for
///   a temporary reason,
/// - 5 s for an exit with a code of its own after readiness.
struct RestartBackoff: Sendable, Hashable {
    /// The number of deaths in a row before readiness that make a crash loop.
    static let mostDeaths = 5
    /// The life after readiness that counts as long.
    static let longLife: Duration = .seconds(2)

    private static let first: Duration = .milliseconds(50)
    private static let longest: Duration = .seconds(2)
    /// The longest wait after a short life.
    ///
    /// It is short, so that killing processes for a test does not keep them away. It is long enough that a process
    /// that dies of its first request, again and again, leaves the machine to others.
    private static let longestAfterReadiness: Duration = .milliseconds(200)
    /// The longest wait for a process that repeatedly ends by itself after it was ready.
    ///
    /// It is likely to meet the same failure again.
    private static let longestAfterFailures: Duration = .seconds(5)
    /// The life below which an end by itself counts as a failure.
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

    /// Records a death and returns the wait before the next start.
    ///
    /// - Parameters:
    ///   - life: The time since the process was ready; nil when it never was.
    ///   - byItself: Indicates whether the process ended with an exit code of its own, and not by a signal.
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

    /// Returns the wait before the next attempt after the system had no resources for a process.
    mutating func recordStartFailure() -> Duration {
        failedStarts += 1
        return Self.wait(failedStarts, atMost: Self.longest)
    }

    /// Returns the wait before the next attempt of a process that could not start for a temporary reason.
    ///
    /// Such an end is not a death: it may repeat for as long as the disk is full.
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
