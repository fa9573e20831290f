import Testing

extension FaultTests {
    @Suite("Failed flush")
    struct FailedFlushTests {
        @Test("A store with a failed flush reports the failure once and loses no acknowledged change set")
        func sweep() throws {
            let flushes = try Self.flushesOfOneRun()
            var failures = 0
            for number in Sweep.numbers(1...flushes, sample: 8, "failed flush") {
                let directory = try StoreDirectory()
                let status = try StoreDriver(steps: 10).run(in: directory, .failedFlush(number))
                let (trace, ledger) = (try directory.trace(), try directory.ledger())
                expectSound(trace.prematureAcknowledgements())
                expectSound(try directory.violations(), "flush \(number)")
                guard trace.count(.notFlushed) > 0 else { continue }  // This run had fewer flushes.
                if ledger.steps.isEmpty {
                    #expect(status == StoreDriver.Exit.cannotOpen, "flush \(number)")
                    continue
                }
                expectSound(try PowerLossTests.violations(of: trace, losses: 3), "flush \(number)")
                if status != 0 {
                    #expect(status == StoreDriver.Exit.storeFailed, "flush \(number): \(directory.errors)")
                    #expect(ledger.fatal.count == 1)
                    #expect(ledger.steps.contains { $0.lateRun != nil })
                    failures += 1
                } else {
                    // The flush failed while the store was closing, after the last answer.
                    #expect(ledger.steps.allSatisfy { $0.isAcknowledged != $0.isWrong }, "flush \(number)")
                }
            }
            #expect(failures > 0)
        }

        @Test("A store reopened after a failed flush loses no acknowledged change set")
        func nextStore() throws {
            let flushes = try Self.flushesOfOneRun()
            for number in Sweep.numbers(1...flushes, sample: 5, "next store") {
                let directory = try StoreDirectory()
                let status = try StoreDriver(steps: 10).run(in: directory, .failedFlush(number))
                guard status != 0 else { continue }
                let records = try directory.trace().records.count
                #expect(try StoreDriver(steps: 14).run(in: directory) == 0, "flush \(number): \(directory.errors)")
                expectSound(try directory.violations(), "flush \(number)")
                expectSound(
                    try PowerLossTests.violations(of: directory.trace(), losses: 8, from: records), "flush \(number)")
            }
        }

        @Test("A store that ignores a failed flush loses acknowledged change sets")
        func unnoticed() throws {
            var premature: [String] = []
            var violations: [String] = []
            _ = try Sweep.firstViolations { attempt in
                let directory = try StoreDirectory()
                let number = 10 + attempt % 11
                #expect(try StoreDriver(steps: 10).run(in: directory, .unnoticedFailedFlush(number)) == 0)
                let trace = try directory.trace()
                premature += trace.prematureAcknowledgements()
                violations += try PowerLossTests.violations(of: trace, losses: 8)
                return premature.isEmpty ? [] : violations
            }
            #expect(!premature.isEmpty && !violations.isEmpty)
        }

        private static func flushesOfOneRun() throws -> Int {
            let directory = try StoreDirectory()
            #expect(try StoreDriver(steps: 10).run(in: directory) == 0)
            return try directory.trace().count(.flushed)
        }
    }
}
