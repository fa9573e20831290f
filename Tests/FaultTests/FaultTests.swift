import TestSupport
import Testing

/// Tests that run one driver at a time, because they wait for processes and count their calls.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct FaultTests {}

extension FaultTests {
    @Suite("Repeated change sets")
    struct RepeatTests {
        /// More steps than the highest number of a flush below: all callers may share each flush.
        private static let steps = 40

        @Test("A change set repeated by 20 callers after a kill between commit and reply is stored once")
        func unknownOutcome() throws {
            var unanswered = 0
            for flush in Sweep.numbers(10...30, sample: 4, "repeat") {
                let directory = try StoreDirectory()
                let status = try StoreDriver(callers: 4, steps: Self.steps).run(in: directory, .exitAfterFlush(flush))
                #expect(status == DiskFaults.exitStatus, "flush \(flush)")
                let before = try StoreFile(crashed: directory.store).rows("SELECT id, aviary_version FROM Animal")
                // These change sets were committed and not answered.
                let known = try Set(
                    directory.ledger().steps.filter(\.isAcknowledged).flatMap(\.commits).map(String.init))
                unanswered += Set(before.map { $0[1] }).subtracting(known).count

                let again = StoreDriver(callers: 4, steps: Self.steps, copies: 20)
                #expect(try again.run(in: directory) == 0, "\(directory.errors)")
                expectSound(try directory.violations())
                for step in try directory.ledger().steps where !step.isWrong {
                    #expect(step.commits.count == 1)
                    #expect(step.firsts <= 1)
                    #expect(step.firsts + step.repeats >= 20)
                }
            }
            #expect(unanswered > 0)
        }

        @Test("The checker detects a store that lost its receipts")
        func lostReceipts() throws {
            let directory = try StoreDirectory()
            let driver = StoreDriver(callers: 4, steps: Self.steps)
            #expect(try driver.run(in: directory, .exitAfterFlush(30)) == DiskFaults.exitStatus)
            try StoreFile.forgetReceipts(directory.store)
            try StoreDriver(callers: 4, steps: Self.steps, copies: 20).run(in: directory)
            #expect(try !directory.violations().isEmpty)
        }
    }
}

extension FaultTests {
    @Suite("Order of flushes and acknowledgements")
    struct TraceOrderTests {
        @Test("A flush of the log precedes the acknowledgement of each change set")
        func order() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver(callers: 32, steps: Sweep.size(20, all: 400)).run(in: directory) == 0)
            let trace = try directory.trace()
            expectSound(trace.prematureAcknowledgements())
            let acknowledged = try directory.ledger().acknowledged
            #expect(acknowledged > 32 * 15)
            // Shared flushes make the order difficult. How many change sets share one depends on the machine's load.
            #expect(trace.count(.flushed, .log) < (Explore.isOn ? acknowledged / 2 : acknowledged))
        }

        @Test("The trace reveals a store that acknowledges before it commits")
        func acknowledgeEarly() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver(bug: .acknowledgeEarly).run(in: directory) == 0)
            #expect(try !directory.trace().prematureAcknowledgements().isEmpty)
        }

        @Test("The trace reveals a store that does not flush its log")
        func unflushed() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver().run(in: directory, .unflushedLog) == 0)
            #expect(try !directory.trace().prematureAcknowledgements().isEmpty)
            // Without a power loss the file is correct.
            expectSound(try directory.violations())
        }
    }
}

extension FaultTests {
    @Suite("Visibility of acknowledged change sets")
    struct VisibilityTests {
        @Test("Another process sees every acknowledged change set")
        func otherProcess() throws {
            #expect(try violations(bug: nil) == [])
        }

        @Test("Another process reveals a store that acknowledges before it commits")
        func acknowledgeEarly() throws {
            #expect(try violations(bug: .acknowledgeEarly) != [])
        }

        /// Returns the violations that a repeated reader finds while a driver writes.
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
            // The test searches until the planted bug shows, which is usually at once.
            let looks = bug == nil ? Sweep.size(30, all: 150) : 1000
            for _ in 0..<looks where violations.isEmpty {
                let heard = try directory.ledger()
                let animals = try file.animals()
                let begun = try directory.ledger()
                for (caller, steps) in begun.callers {
                    let acknowledged = Set((heard.callers[caller] ?? [:]).filter(\.value.isAcknowledged).keys)
                    let states = AllowedStates(of: steps, acknowledged: acknowledged)
                    let difference = states.difference(from: animals[caller] ?? [:])
                    violations += difference.map { ["caller \(caller): \($0)"] } ?? []
                }
            }
            return violations
        }
    }
}

extension FaultTests {
    @Suite("Torn writes")
    struct TornWriteTests {
        private static let driver = StoreDriver(callers: 4, steps: 4)

        @Test("A store reopened after any torn write is sound and completes the remaining steps")
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

        @Test("The checker detects a store that acknowledges before it commits")
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
