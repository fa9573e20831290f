import AviaryData
import AviaryDomain
import Synchronization

/// Callers that submit one change set after another, each waiting for its receipt.
struct Load {
    let store: Store
    let callers: Int

    /// Every change set once, in order.
    func run(_ changeSets: ArraySlice<ChangeSet>) async throws -> Measurement {
        let before = await store.statistics
        let next = Counter(changeSets.startIndex)
        let clock = ContinuousClock()
        let start = clock.now
        let latencies = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for _ in 0..<callers {
                group.addTask {
                    var latencies: [Duration] = []
                    latencies.reserveCapacity(changeSets.count / callers + 1)
                    while true {
                        let index = next.take()
                        guard index < changeSets.endIndex else { return latencies }
                        let submitted = clock.now
                        _ = try await store.submit(changeSets[index])
                        latencies.append(clock.now - submitted)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let duration = clock.now - start
        let after = await store.statistics
        return Measurement(
            callers: callers, duration: duration, latencies: latencies, batches: after.batches - before.batches
        )
    }
}

/// Hands out numbers, each once.
private final class Counter: Sendable {
    private let value: Atomic<Int>

    init(_ first: Int) {
        value = Atomic(first)
    }

    func take() -> Int {
        value.add(1, ordering: .relaxed).oldValue
    }
}
