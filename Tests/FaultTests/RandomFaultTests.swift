import Foundation
import Testing

extension FaultTests {
    @Suite("Whatever the disk does, an acknowledged change set is stored")
    struct RandomFaultTests {
        @Test("One call in a hundred fails, tears or is cut short; the store is started again whenever it ends")
        func onePercent() throws {
            let rounds = Sweep.size(24, all: 600)
            var statuses: [Int32: Int] = [:]
            var acknowledged = 0
            var round = 0
            // When the faults come depends on how callers meet. There are more rounds until one has ended a store.
            while round < rounds || statuses[StoreDriver.Exit.storeFailed] == nil && round < 10 * rounds {
                let directory = try StoreDirectory()
                // A store of its own for every twelve runs: to look at one takes the longer the more it went through.
                var driver = StoreDriver(steps: 40, isReading: true)
                for _ in 0..<12 {
                    round += 1
                    let status = try driver.run(in: directory, faults(round))
                    statuses[status, default: 0] += 1
                    // Others when these are done, so that there is always something to do.
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
            // Few stores open at all when the faults begin at once.
            let calm = Int.random(in: 0...4000, using: &generator)
            return .random(perTenThousand: 100, after: calm, seed: Sweep.seed &+ UInt64(round))
        }

        @Test("A store that acknowledges before it commits is found")
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
