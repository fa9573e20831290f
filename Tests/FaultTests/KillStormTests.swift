import Foundation
import Testing

extension FaultTests {
    @Suite("Kill storm")
    struct KillStormTests {
        @Test("A store that is killed repeatedly has every acknowledged change set, each complete and once")
        func storm() throws {
            // Every five kills get a new store, because checking a store takes longer with each run.
            for number in 0..<Sweep.size(1, all: 20) {
                let directory = try StoreDirectory()
                var last = try storm(number, in: directory, rounds: 5, bug: nil) {
                    expectSound(try directory.violations())
                    return false
                }
                // The last callers repeat their steps, and each step is answered with its first receipt.
                let ledger = try directory.ledger()
                last.steps =
                    ledger.callers.filter { $0.key >= last.firstCaller }.values.compactMap { $0.keys.max() }.max() ?? 0
                #expect(try last.run(in: directory) == 0, "\(directory.errors)")
                expectSound(try directory.violations())
                let steps = try directory.ledger().steps
                #expect(steps.contains { $0.repeats > 0 } && steps.contains { $0.refusal != nil })
            }
        }

        @Test("The checker detects a store that acknowledges before it commits")
        func acknowledgeEarly() throws {
            let directory = try StoreDirectory()
            var isFound = false
            _ = try storm(0, in: directory, rounds: 200, bug: .acknowledgeEarly) {
                isFound = try !directory.violations().isEmpty
                return isFound
            }
            #expect(isFound)
        }

        /// Kills a driver in each round until the closure returns true, and returns the last driver.
        ///
        /// In each round, eight callers begin and eight interrupted ones continue, which first repeat their steps.
        private func storm(
            _ number: Int, in directory: StoreDirectory, rounds: Int, bug: StoreDriver.Bug?, isOver: () throws -> Bool
        ) throws -> StoreDriver {
            var generator = Sweep.generator("kill storm \(number)")
            var driver = StoreDriver(callers: 16, steps: 1_000_000, bug: bug)
            for round in 0..<rounds {
                driver.firstCaller = 8 * round
                let enough = directory.ledgerSize + Int.random(in: 20_000...60_000, using: &generator)
                let running = try driver.start(in: directory)
                #expect(running.wait { directory.ledgerSize > enough }, "\(directory.errors)")
                usleep(UInt32.random(in: 0...20_000, using: &generator))
                running.kill()
                #expect(running.wait() == StoreDriver.Exit.killed)
                if try isOver() { break }
            }
            return driver
        }
    }
}
