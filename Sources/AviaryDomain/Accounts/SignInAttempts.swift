package import Foundation

/// The number of recent failed sign-ins of one account name or one address. It is stored, so that all workers share the
/// count and a restart keeps it.
package struct SignInAttempts: Model {
    package static let modelName = "aviary_attempts"

    /// The hash of the account name or address. The file does not contain the name that was typed.
    package var id: RecordID<SignInAttempts>
    /// The number of failures in a row.
    package var failures: Int
    package var lastFailureAt: Date

    package static let schema = ModelSchema(
        SignInAttempts.self,
        [
            PropertyDefinition(\.failures, "failures"),
            PropertyDefinition(\.lastFailureAt, "lastFailureAt", attributes: [.indexed]),
        ]
    ).snapshots(.nothing)

    package init(id: RecordID<SignInAttempts>, failures: Int, lastFailureAt: Date) {
        self.id = id
        self.failures = failures
        self.lastFailureAt = lastFailureAt
    }

    package init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        failures = try reader.next("failures")
        lastFailureAt = try reader.next("lastFailureAt")
    }

    package func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(failures)
        writer.bind(lastFailureAt)
    }
}

/// The rate limit of sign-ins after failed attempts.
///
/// Attempts are counted by account name and by address. Each has some free attempts. Then every failure doubles the
/// wait, up to a maximum. Nobody is locked out permanently, and an attacker gets some hundred attempts a day.
package struct SignInThrottle: Sendable, Hashable {
    /// The number of failures without a wait.
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

    /// Returns the time in whole seconds until the next attempt may be checked; 0 when that is now.
    package func wait(after attempts: SignInAttempts?, at now: Date) -> Int {
        guard let attempts, attempts.failures >= freeAttempts else { return 0 }
        let sinceLast = now.timeIntervalSince(attempts.lastFailureAt)
        // A clock that was set back must not lock anybody out for longer than the maximum.
        guard sinceLast < memory, sinceLast > -longestWait else { return 0 }
        let exponent = min(attempts.failures - freeAttempts, 30)
        let wait = min(firstWait * Double(1 << exponent), longestWait)
        return max(0, Int((wait - sinceLast).rounded(.up)))
    }

    /// Returns the number of failures that still count.
    package func failures(of attempts: SignInAttempts?, at now: Date) -> Int {
        guard let attempts, abs(now.timeIntervalSince(attempts.lastFailureAt)) < memory else { return 0 }
        return attempts.failures
    }
}
