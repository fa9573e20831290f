import Foundation
import Testing

extension FaultTests {
    @Suite("What was acknowledged is stored, however often the store is killed")
    struct KillStormTests {
        @Test("Kills while callers write: acknowledged ⊆ stored ⊆ attempted, each change set whole and once")
        func storm() throws {
            // A store of its own for every five kills: to look at one takes the longer the more it went through.
            for number in 0..<Sweep.size(1, all: 20) {
                let directory = try StoreDirectory()
                var last = try storm(number, in: directory, rounds: 5, bug: nil) {
                    expectSound(try directory.violations())
                    return false
                }
                // Goes over the last callers' steps once more: each is answered with its first receipt.
                let ledger = try directory.ledger()
                last.steps =
                    ledger.callers.filter { $0.key >= last.firstCaller }.values.compactMap { $0.keys.max() }.max() ?? 0
                #expect(try last.run(in: directory) == 0, "\(directory.errors)")
                expectSound(try directory.violations())
                let steps = try directory.ledger().steps
                #expect(steps.contains { $0.repeats > 0 } && steps.contains { $0.refusal != nil })
            }
        }

        @Test("A store that acknowledges too early is found")
        func acknowledgeEarly() throws {
            let directory = try StoreDirectory()
            var isFound = false
            _ = try storm(0, in: directory, rounds: 200, bug: .acknowledgeEarly) {
                isFound = try !directory.violations().isEmpty
                return isFound
            }
            #expect(isFound)
        }

        /// Eight callers begin in each round, and eight that were interrupted continue: they first repeat what they
        /// did.
        /// Ends when told, and returns the last round's driver.
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
