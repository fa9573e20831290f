import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation
import Synchronization

struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Store rows, a change set each, and print a line of JSON."
    )

    @Argument(help: "The store's directory.")
    var directory: String

    @Option(help: "The address of a database, in which the store then is.")
    var database: String?

    @Option(help: "A file of rows.")
    var rows: String

    @Option(help: "How many submit at the same time.")
    var callers = 64

    @Option(help: "Whether the store keeps a history: on or off.")
    var history: History = .on

    func run() async throws {
        let store = try BenchmarkStore.open(directory, history: history, database: database)
        // Made before the clock starts, as the peer reads its rows before.
        let changeSets = try RowFile.read(rows).map(\.submission)
        let measurement = try await Load(store: store, callers: callers).run(changeSets[...])
        await store.close()
        try JSONLine.print(measurement.report)
    }
}

/// The result of a run.
struct Measurement {
    let callers: Int
    let duration: Duration
    let latencies: [Duration]
    let batches: Int

    var changeSetsPerSecond: Double { Double(latencies.count) / duration.seconds }

    var report: Report {
        let sorted = latencies.sorted()
        func milliseconds(_ share: Double) -> Double {
            guard let last = sorted.indices.last else { return 0 }
            return sorted[min(last, Int(Double(sorted.count) * share))].seconds * 1000
        }
        return Report(
            callers: callers, rows: sorted.count, batches: batches, seconds: duration.seconds,
            rowsPerSecond: changeSetsPerSecond, p50Milliseconds: milliseconds(0.5), p99Milliseconds: milliseconds(0.99),
            worstMilliseconds: milliseconds(1)
        )
    }

    /// A line of output.
    struct Report: Encodable {
        let callers: Int
        let rows: Int
        let batches: Int
        let seconds: Double
        let rowsPerSecond: Double
        let p50Milliseconds: Double
        let p99Milliseconds: Double
        let worstMilliseconds: Double
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

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

/// The processor time of the machine so far, and the share of this process.
struct MachineUse {
    private let total: Double
    private let busy: Double
    private let own: Double

    /// Nil where the system does not tell.
    static var now: MachineUse? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            let line = text.split(separator: "\n").first
        else { return nil }
        // User, nice, system, idle, waiting for disks, interrupts (2), stolen; in hundredths of a second.
        let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard times.count == 8 else { return nil }
        var used = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
        let total = times.reduce(0, +) / 100
        return MachineUse(
            total: total, busy: total - (times[3] + times[4]) / 100,
            own: Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
        )
    }

    /// The share of the machine that other programs have had since then.
    func others(since earlier: MachineUse) -> Double {
        let others = (busy - earlier.busy) - (own - earlier.own)
        return max(0, others / max(total - earlier.total, 0.01))
    }
}
