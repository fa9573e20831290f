import Foundation
import Testing

extension FaultTests {
    @Suite("Full disk")
    struct FullDiskTests {
        private static let driver = StoreDriver(steps: 30, noteLength: 4000, isReading: true)

        @Test("A full disk rejects writes but not reads, and all writes succeed when there is space again")
        func budget() throws {
            var generator = Sweep.generator("full disk")
            for _ in 0..<Sweep.size(2, all: 30) {
                // The space is slightly more than an empty store needs and slightly less than all writes need.
                let bytes = Int.random(in: 250_000...1_500_000, using: &generator)
                let directory = try StoreDirectory()
                try directory.setSpace(bytes)
                let running = try Self.driver.start(in: directory, .space(in: directory.spacePath))
                try expectRefusals(of: running, in: directory, "\(bytes) bytes")
                try directory.setSpace(1_000_000_000)
                try expectRecovery(of: running, in: directory, "\(bytes) bytes")
                #expect(try directory.trace().count(.refused, .log) > 0, "no COMMIT was refused with \(bytes) bytes")
            }
        }

        @Test("A disk that fills during a checkpoint rejects writes until there is space again")
        func checkpoint() throws {
            let driver = StoreDriver(callers: 16, steps: 12, noteLength: 60_000, isReading: true)
            let directory = try StoreDirectory()
            // The checkpoint begins at 16 MiB of log, with only a few MiB of space left.
            try directory.setSpace(22 << 20)
            let running = try driver.start(in: directory, .space(in: directory.spacePath))
            try expectRefusals(of: running, in: directory, "22 MiB")
            try directory.setSpace(1_000_000_000)
            try expectRecovery(of: running, in: directory, "22 MiB")
            #expect(try directory.trace().count(.refused, .database) > 0)
        }

        @Test(
            "A full file system of 2 MiB rejects writes until there is space again",
            .enabled(if: canMount, "Mounting a file system needs root."))
        func realFileSystem() throws {
            let directory = try #require(try StoreDirectory(bytes: 2 << 20))
            let ballast = directory.data + "/ballast"
            try Data(count: 1 << 20).write(to: URL(filePath: ballast))
            let running = try Self.driver.start(in: directory)
            try expectRefusals(of: running, in: directory, "2 MiB")
            try FileManager.default.removeItem(atPath: ballast)
            #expect(mount("tmpfs", directory.data, "tmpfs", UInt(MS_REMOUNT), "size=64m") == 0)
            try expectRecovery(of: running, in: directory, "2 MiB")
        }

        @Test("The checker detects a store that acknowledges before it commits")
        func acknowledgeEarly() throws {
            var driver = Self.driver
            driver.bug = .acknowledgeEarly
            let directory = try StoreDirectory()
            try directory.setSpace(400_000)
            let running = try driver.start(in: directory, .space(in: directory.spacePath))
            #expect(try running.wait { try directory.ledger().unavailable.count > 20 })
            let violations = try running.whileStopped {
                try StoreInvariantChecker(StoreFile(live: directory.store), directory.ledger()).violations()
            }
            #expect(!violations.isEmpty)
            running.kill()
            _ = running.wait()
        }

        // Any error means that mounting is not possible.
        private static let canMount = (try? StoreDirectory(bytes: 1 << 20)) != nil

        private func expectRefusals(of running: RunningDriver, in directory: StoreDirectory, _ what: String) throws {
            let isFull = try running.wait { try directory.ledger().unavailable.count > 40 }
            try #require(isFull, "never full: \(what) \(directory.errors)")
            let before = try directory.ledger()
            // A shared-memory file that cannot grow is an I/O error to SQLite.
            let reasons = ["disk is full", "disk reported an error"]
            #expect(before.unavailable.allSatisfy { reason in reasons.contains { reason.contains($0) } }, "\(what)")
            // A step that is submitted again may be stored at any moment, because a small batch fits the last part of the
            // space.
            let violations = try running.whileStopped {
                try StoreInvariantChecker(StoreFile(live: directory.store), directory.ledger()).violations()
            }
            expectSound(violations, "\(what)")
            let continues = try running.wait { try directory.ledger().reads.count > before.reads.count + 10 }
            #expect(continues, "no reads: \(what)")
        }

        private func expectRecovery(of running: RunningDriver, in directory: StoreDirectory, _ what: String) throws {
            #expect(running.wait() == 0, "\(what): \(directory.errors)")
            let ledger = try directory.ledger()
            #expect(ledger.fatal.isEmpty && ledger.unreadable == [], "\(what)")
            #expect(ledger.steps.allSatisfy { $0.isAcknowledged != $0.isWrong }, "\(what)")
            // A step that was stored although it was rejected would be acknowledged as a repetition.
            #expect(ledger.steps.allSatisfy { $0.repeats == 0 }, "\(what)")
            expectSound(try directory.violations(), "\(what)")
        }
    }
}
