import Foundation

/// The time-out of every wait in the tests.
///
/// A test waits for an event, never for a fixed time. The time-out is so long that only a failing test reaches it.
package enum Patience {
    /// The time-out of one wait.
    package static let bound: Duration = .seconds(180)

    /// The time limit of one test in minutes, for `.timeLimit`.
    package static let minutes = 10

    /// The pause between two checks of a condition that sends no notification.
    package static let pause: Duration = .milliseconds(5)
}

/// A condition that did not hold within ``Patience/bound``.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String

    package init(_ event: String) {
        description = "Waited \(Patience.bound) in vain: \(event)."
    }
}

/// Waits until a condition holds.
///
/// - Parameter event: The condition as a statement: "the store restarts".
/// - Throws: ``NeverHappened`` after ``Patience/bound``, and the errors of the condition.
package func eventually(
    _ event: String, isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + Patience.bound
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(event) }
        try await Task.sleep(for: Patience.pause)
    }
}

/// Waits until a condition holds, and blocks the thread.
///
/// - Parameter event: The condition as a statement: "the child has ended".
/// - Throws: ``NeverHappened`` after ``Patience/bound``, and the errors of the condition.
package func blockUntil(_ event: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + Patience.bound
    while try !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(event) }
        Thread.sleep(forTimeInterval: Patience.pause / .seconds(1))
    }
}

/// Reads from a descriptor, and repeats the call when a signal interrupts it.
///
/// - Returns: The number of bytes; 0 at the end, and -1 with `errno` after an error.
package func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count < 0, errno == EINTR else { return count }
    }
}

/// Runs work that blocks, on a thread of its own.
///
/// The threads of a global dispatch queue are no replacement: the tasks of all tests share them, and the system adds
/// only one a second for those that block.
package func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
