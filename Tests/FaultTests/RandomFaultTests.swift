import Foundation
import Testing

extension FaultTests {
    @Suite("Random disk faults")
    struct RandomFaultTests {
        @Test("A store restarted under faults in one percent of disk calls loses no acknowledged change set")
        func onePercent() throws {
            let rounds = Sweep.size(24, all: 600)
            var statuses: [Int32: Int] = [:]
            var acknowledged = 0
            var round = 0
            // The moment of a fault depends on the callers' timing. Rounds are added until a fault has ended a store.
            while round < rounds || statuses[StoreDriver.Exit.storeFailed] == nil && round < 10 * rounds {
                let directory = try StoreDirectory()
                // Every twelve runs get a new store, because checking a store takes longer with each run.
                var driver = StoreDriver(steps: 40, isReading: true)
                for _ in 0..<12 {
                    round += 1
                    let status = try driver.run(in: directory, faults(round))
                    statuses[status, default: 0] += 1
                    // New callers replace those that are done, so that each run has work.
                    if status == 0 { driver.firstCaller += driver.callers }
                    expectSound(try directory.violations(), "round \(round)")
                }
                #expect(try driver.run(in: directory) == 0, "\(directory.errors)")
                expectSound(try directory.violations(), "after round \(round)")
                acknowledged += try directory.ledger().acknowledged
            }
            #expect(acknowledged > 0)
            #expect(Set(statuses.keys).isSubset(of: [0, StoreDriver.Exit.storeFailed, StoreDriver.Exit.cannotOpen]))
            #expect(statuses[StoreDriver.Exit.storeFailed, default: 0] > 0)
        }

        private func faults(_ round: Int) -> DiskFaults {
            var generator = Sweep.generator("random faults \(round)")
            // If the faults begin at once, few stores open.
            let calm = Int.random(in: 0...4000, using: &generator)
            return .random(perTenThousand: 100, after: calm, seed: Sweep.seed &+ UInt64(round))
        }

        @Test("The checker detects a store that acknowledges before it commits")
        func acknowledgeEarly() throws {
            let violations = try Sweep.firstViolations { round in
                let directory = try StoreDirectory()
                try StoreDriver(steps: 40, bug: .acknowledgeEarly).run(in: directory, faults(round))
                return try directory.violations()
            }
            #expect(!violations.isEmpty)
        }
    }
}
