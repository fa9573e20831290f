import Testing

extension FaultTests {
    @Suite("A write that was done by half leaves a sound file with all that was acknowledged")
    struct TornWriteTests {
        private static let driver = StoreDriver(callers: 4, steps: 4)

        @Test("Whichever write is torn when the process ends, the next store goes on and does what is left")
        func sweep() throws {
            let directory = try StoreDirectory()
            #expect(try Self.driver.run(in: directory) == 0)
            let writes = try directory.trace().count(.written, .database, .log, .journal)
            for number in Sweep.numbers(1...writes, sample: 14, all: 240, "torn write") {
                try tear(number)
            }
        }

        private func tear(_ number: Int) throws {
            let directory = try StoreDirectory()
            let status = try Self.driver.run(in: directory, .tornWrite(number))
            // Batches differ from run to run, and with them the number of writes.
            #expect(status == DiskFaults.exitStatus || status == 0, "write \(number): \(directory.errors)")
            expectSound(try directory.violations(), "write \(number)")
            #expect(try Self.driver.run(in: directory) == 0, "write \(number): \(directory.errors)")
            expectSound(try directory.violations(), "write \(number)")
            #expect(try directory.ledger().steps.allSatisfy { $0.isAcknowledged != $0.isWrong }, "write \(number)")
        }

        @Test("A store that acknowledges before it commits is found")
        func acknowledgeEarly() throws {
            var driver = Self.driver
            driver.bug = .acknowledgeEarly
            let numbers = Sweep.numbers(120...200, sample: 8, all: 30, "torn write, early")
            let violations = try Sweep.firstViolations { attempt in
                let directory = try StoreDirectory()
                try driver.run(in: directory, .tornWrite(numbers[attempt % numbers.count]))
                return try directory.violations()
            }
            #expect(!violations.isEmpty)
        }
    }
}
