/// How long to wait before a process is started again: at once after a long life, longer and longer after deaths
/// before readiness.
struct Backoff: Sendable, Hashable {
    /// This many deaths in a row before readiness are a crash loop.
    static let mostDeaths = 5
    private static let first: Duration = .milliseconds(50)
    private static let longest: Duration = .seconds(2)

    private(set) var deathsInARow = 0

    var isCrashLoop: Bool { deathsInARow >= Self.mostDeaths }

    mutating func ready() {
        deathsInARow = 0
    }

    /// The wait before the next start.
    mutating func died(wasReady: Bool) -> Duration {
        if wasReady {
            deathsInARow = 0
            return .zero
        }
        deathsInARow += 1
        var wait = Self.first
        for _ in 1..<max(1, deathsInARow) { wait *= 2 }
        return min(wait, Self.longest)
    }
}
