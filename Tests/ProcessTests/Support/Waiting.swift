import Foundation

/// A condition did not come true.
struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}

/// Waits until the condition holds. The bound is generous: it only keeps a test that fails from waiting for ever.
func eventually(
    _ what: String, within bound: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + bound
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(description: "It never happened that \(what).") }
        try await Task.sleep(for: .milliseconds(20))
    }
}
