import Foundation
import Testing

extension FaultTests {
    @Suite("Whatever the disk does, an acknowledged change set is stored")
    struct RandomFaultTests {
        @Test("One call in a hundred fails, tears or is cut short; the store is started again whenever it ends")
        func onePercent() throws {
            let end = ContinuousClock.now + .seconds(Sweep.size(6, all: 60))
            var statuses: [Int32: Int] = [:]
            var acknowledged = 0
            var round = 0
            while ContinuousClock.now < end {
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
            print("Random faults: \(round) rounds, exit statuses \(statuses), \(acknowledged) acknowledged")
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
            var violations: [String] = []
            for round in 0..<40 where violations.isEmpty {
                let directory = try StoreDirectory()
                try StoreDriver(steps: 40, bug: .acknowledgeEarly).run(in: directory, faults(round))
                violations = try directory.violations()
            }
            #expect(!violations.isEmpty)
        }
    }
}
