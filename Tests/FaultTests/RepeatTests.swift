import Testing

extension FaultTests {
    @Suite("A change set that is sent again is stored once, and answered with its first receipt")
    struct RepeatTests {
        @Test("Killed between commit and reply, and then sent by 20 at the same time: one record, one receipt")
        func unknownOutcome() throws {
            var unanswered = 0
            for flush in Sweep.numbers(10...30, sample: 4, "repeat") {
                let directory = try StoreDirectory()
                let status = try StoreDriver(callers: 4).run(in: directory, .exitAfterFlush(flush))
                #expect(status == DiskFaults.exitStatus, "flush \(flush)")
                let before = try StoreFile(crashed: directory.store).rows("SELECT id, aviary_version FROM Animal")
                // Committed and not answered: what this test is about.
                let known = try Set(
                    directory.ledger().steps.filter(\.isAcknowledged).flatMap(\.commits).map(String.init))
                unanswered += Set(before.map { $0[1] }).subtracting(known).count

                #expect(try StoreDriver(callers: 4, copies: 20).run(in: directory) == 0, "\(directory.errors)")
                expectSound(try directory.violations())
                for step in try directory.ledger().steps where !step.isWrong {
                    #expect(step.commits.count == 1)
                    #expect(step.firsts <= 1)
                    #expect(step.firsts + step.repeats >= 20)
                }
            }
            #expect(unanswered > 0)
        }

        @Test("A store that lost its receipts is found")
        func lostReceipts() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver(callers: 4).run(in: directory, .exitAfterFlush(30)) == DiskFaults.exitStatus)
            try StoreFile.forgetReceipts(directory.store)
            try StoreDriver(callers: 4, copies: 20).run(in: directory)
            #expect(try !directory.violations().isEmpty)
        }
    }
}
