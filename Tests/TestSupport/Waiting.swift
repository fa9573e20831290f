import Foundation

/// The bound on every wait in the tests.
///
/// A test waits for an event, never for a duration. The bound is so long that only a test that fails reaches it.
package enum Patience {
    /// The bound of one wait.
    package static let bound: Duration = .seconds(180)

    /// The bound of one test, in minutes, for `.timeLimit`.
    package static let minutes = 10

    /// The pause between two looks at a condition that reports nothing by itself.
    package static let pause: Duration = .milliseconds(5)
}

/// A condition that did not hold within ``Patience/bound``.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String

    package init(_ event: String) {
        description = "Waited \(Patience.bound) in vain: \(event)."
    }
}

/// Waits until the condition holds.
///
/// - Parameter event: What is waited for, as a statement: "the store restarts".
/// - Throws: ``NeverHappened`` after ``Patience/bound``, and the condition's own errors.
package func eventually(
    _ event: String, isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + Patience.bound
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(event) }
        try await Task.sleep(for: Patience.pause)
    }
}

/// Waits, on a thread that may block, until the condition holds.
///
/// - Parameter event: What is waited for, as a statement: "the child has ended".
/// - Throws: ``NeverHappened`` after ``Patience/bound``, and the condition's own errors.
package func blockUntil(_ event: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + Patience.bound
    while try !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(event) }
        Thread.sleep(forTimeInterval: Patience.pause / .seconds(1))
    }
}
