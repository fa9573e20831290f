package import Foundation

/// The rate limit of sign-ins after failed attempts.
///
/// Attempts are counted by account name and by address. Each has some free attempts. Then every failure doubles the
/// wait, up to a maximum: nobody is locked out for good, and a guesser gets some hundred attempts a day.
package struct SignInThrottle: Sendable, Hashable {
    /// Failures that cost no wait.
    package var freeAttempts: Int
    /// The first wait, in seconds.
    package var firstWait: TimeInterval
    package var longestWait: TimeInterval
    /// The time without a failure after which all failures are forgotten, in seconds.
    package var memory: TimeInterval

    /// The limit for one account name.
    package static let account = SignInThrottle(freeAttempts: 5, firstWait: 2, longestWait: 300, memory: 3600)
    /// The limit for one address, which many people may share.
    package static let address = SignInThrottle(freeAttempts: 20, firstWait: 2, longestWait: 300, memory: 3600)

    /// Whole seconds from now until the next attempt is looked at; 0 when it is at once.
    package func wait(after attempts: SignInAttempts?, at now: Date) -> Int {
        guard let attempts, attempts.failures >= freeAttempts else { return 0 }
        let sinceLast = now.timeIntervalSince(attempts.lastFailureAt)
        // A clock that was set back must not keep anybody out for longer than the bound.
        guard sinceLast < memory, sinceLast > -longestWait else { return 0 }
        let exponent = min(attempts.failures - freeAttempts, 30)
        let wait = min(firstWait * Double(1 << exponent), longestWait)
        return max(0, Int((wait - sinceLast).rounded(.up)))
    }

    /// The failures that still count.
    package func failures(of attempts: SignInAttempts?, at now: Date) -> Int {
        guard let attempts, abs(now.timeIntervalSince(attempts.lastFailureAt)) < memory else { return 0 }
        return attempts.failures
    }
}
