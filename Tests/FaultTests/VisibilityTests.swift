import Testing

extension FaultTests {
    @Suite("What was acknowledged is seen by everyone")
    struct VisibilityTests {
        @Test("Another process that reads after an acknowledgement sees the change set, or a later state")
        func otherProcess() throws {
            #expect(try violations(bug: nil) == [])
        }

        @Test("A store that acknowledges before it commits is found")
        func acknowledgeEarly() throws {
            #expect(try violations(bug: .acknowledgeEarly) != [])
        }

        /// What a reader misses that reads again and again while a driver writes.
        private func violations(bug: StoreDriver.Bug?) throws -> [String] {
            let directory = try StoreDirectory()
            let running = try StoreDriver(callers: 4, steps: 1_000_000, bug: bug).start(in: directory)
            defer {
                running.kill()
                _ = running.wait()
            }
            #expect(running.wait { directory.ledgerSize > 1000 }, "\(directory.errors)")
            let file = try StoreFile(live: directory.store)
            var violations: [String] = []
            // A planted bug is looked for until it shows, which is at once.
            let looks = bug == nil ? Sweep.size(30, all: 150) : 1000
            for _ in 0..<looks where violations.isEmpty {
                let heard = try directory.ledger()
                let animals = try file.animals()
                let begun = try directory.ledger()
                for (caller, steps) in begun.callers {
                    let acknowledged = Set((heard.callers[caller] ?? [:]).filter(\.value.isAcknowledged).keys)
                    let states = AllowedStates(of: steps, acknowledged: acknowledged, isLive: false)
                    let difference = states.difference(from: animals[caller] ?? [:])
                    violations += difference.map { ["caller \(caller): \($0)"] } ?? []
                }
            }
            return violations
        }
    }
}
