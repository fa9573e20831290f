import Foundation
import Testing

extension FaultTests {
    @Suite("Power loss")
    struct PowerLossTests {
        /// The share of unflushed writes that reach the disk: none, some, most, all.
        private static let shares = [0, 0.5, 0.9, 1]
        /// Enough text for several checkpoints.
        private static let driver = StoreDriver(callers: 16, steps: Sweep.size(8, all: 16), noteLength: 60_000)

        @Test("A power loss that keeps any part of the unflushed writes loses no acknowledged change set")
        func replays() throws {
            let directory = try StoreDirectory()
            #expect(try Self.driver.run(in: directory) == 0)
            let trace = try directory.trace()
            let first = trace.lines { $0.hasPrefix("acknowledged") }.first?.record ?? trace.records.count
            let checkpoints = trace.records[first...].count { $0.kind == .flushed && $0.file == .database }
            #expect(checkpoints > 1, "only that of the end")
            expectSound(try Self.violations(of: trace, losses: Sweep.size(12, all: 100)))
        }

        @Test("A store continues after a power loss, completes the remaining steps and survives another loss")
        func continues() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver().run(in: directory) == 0)
            let trace = try directory.trace()
            var generator = Sweep.generator("power loss, going on")
            for _ in 0..<Sweep.size(4, all: 40) {
                let moment = Int.random(in: 0..<trace.records.count, using: &generator)
                let after = try StoreDirectory()
                var loss = PowerLoss(trace)
                loss.advance(to: moment)
                try loss.leave(after.store, keeping: 0.5, using: &generator)
                let image = try PowerLoss.Image(of: after.store)
                try trace.ledgerText(before: moment).write(to: URL(filePath: after.ledgerPath))
                #expect(try StoreDriver().run(in: after) == 0, "\(after.errors)")
                expectSound(try after.violations())
                #expect(try after.ledger().steps.allSatisfy { $0.isAcknowledged != $0.isWrong })
                expectSound(
                    try Self.violations(
                        of: after.trace(), on: image, after: trace.ledgerText(before: moment), losses: 3))
            }
        }

        @Test("A store that acknowledges before it commits loses acknowledged change sets")
        func acknowledgeEarly() throws {
            let violations = try Sweep.firstViolations { _ in
                let directory = try StoreDirectory()
                #expect(try StoreDriver(bug: .acknowledgeEarly).run(in: directory) == 0)
                return try Self.violations(of: directory.trace(), losses: 20)
            }
            #expect(!violations.isEmpty)
        }

        @Test("A store that does not flush its log loses acknowledged change sets")
        func unflushed() throws {
            let violations = try Sweep.firstViolations { _ in
                let directory = try StoreDirectory()
                #expect(try StoreDriver().run(in: directory, .unflushedLog) == 0)
                return try Self.violations(of: directory.trace(), losses: 20)
            }
            #expect(!violations.isEmpty)
        }

        /// Returns the violations after power losses at random moments, half of them right after an acknowledgement.
        static func violations(
            of trace: Trace, on image: PowerLoss.Image = .empty, after ledger: Data = Data(), losses: Int,
            from first: Int = 0
        ) throws -> [String] {
            var generator = Sweep.generator("power loss")
            let acknowledgements = trace.lines { $0.hasPrefix("acknowledged") }.map { $0.record + 1 }.filter {
                $0 >= first
            }
            let moments = (0..<losses).map { number in
                number.isMultiple(of: 2)
                    ? acknowledgements.randomElement(using: &generator) ?? trace.records.count
                    : Int.random(in: first...trace.records.count, using: &generator)
            }
            var loss = PowerLoss(trace, on: image)
            var violations: [String] = []
            for moment in moments.sorted() {
                let left = try StoreDirectory()
                loss.advance(to: moment)
                let share = Self.shares[Int.random(in: Self.shares.indices, using: &generator)]
                try loss.leave(left.store, keeping: share, using: &generator)
                let heard = LedgerText(ledger + trace.ledgerText(before: moment))
                violations += try StoreInvariantChecker(StoreFile(image: left.store), heard).violations().map {
                    "power loss before record \(moment), keeping \(share): \($0)"
                }
            }
            return violations
        }
    }
}
