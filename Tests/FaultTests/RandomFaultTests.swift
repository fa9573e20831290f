import Foundation
import Testing

extension FaultTests {
    @Suite("Whatever the disk does, an acknowledged change set is stored")
    struct RandomFaultTests {
        @Test("One call in a hundred fails, tears or is cut short; the store is started again whenever it ends")
        func onePercent() throws {
            let directory = try StoreDirectory()
            let end = ContinuousClock.now + .seconds(Sweep.size(6, all: 60))
            var statuses: [Int32: Int] = [:]
            var generator = Sweep.generator("random faults")
            var driver = StoreDriver(steps: 40, isReading: true)
            var round: UInt64 = 0
            while ContinuousClock.now < end {
                // Others whenever the last are done, so that there is always something to do.
                driver.firstCaller = driver.callers * (statuses[0] ?? 0)
                // Few stores open at all when the faults begin at once.
                let calm = Int.random(in: 0...4000, using: &generator)
                let faults = DiskFaults.random(perTenThousand: 100, after: calm, seed: Sweep.seed &+ round)
                let status = try driver.run(in: directory, faults)
                statuses[status, default: 0] += 1
                round += 1
                expectSound(try directory.violations(), "round \(round)")
            }
            print("Random faults: \(round) rounds, exit statuses \(statuses), \(try directory.ledger().acknowledged) acknowledged")
            #expect(Set(statuses.keys).isSubset(of: [0, StoreDriver.Exit.storeFailed, StoreDriver.Exit.cannotOpen]), "\(directory.errors)")
            #expect(statuses[StoreDriver.Exit.storeFailed, default: 0] > 0)
            #expect(try driver.run(in: directory) == 0)
            expectSound(try directory.violations())
        }

        @Test("A store that acknowledges before it commits is found")
        func acknowledgeEarly() throws {
            var violations: [String] = []
            for round in 0..<20 where violations.isEmpty {
                let directory = try StoreDirectory()
                try StoreDriver(bug: .acknowledgeEarly).run(in: directory, .random(perTenThousand: 100, seed: Sweep.seed &+ UInt64(round)))
                violations = try directory.violations()
            }
            #expect(!violations.isEmpty)
        }
    }
}
