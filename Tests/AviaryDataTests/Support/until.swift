import Testing

struct NeverHappened: Error {}

/// Waits until the condition holds; a test that waits in vain fails.
func until(within limit: Duration = .seconds(60), _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard .now < end else { throw NeverHappened() }
        try await Task.sleep(for: .milliseconds(2))
    }
}
