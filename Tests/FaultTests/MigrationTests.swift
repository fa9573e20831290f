import Foundation
import TestSupport
import Testing

extension FaultTests {
    @Suite("Interrupted migrations")
    struct MigrationTests {
        /// The number of rows, which is a million in exploration.
        private static let rows = Sweep.size(4_000, all: 1_000_000)

        @Test("Each kind of migration keeps every row and every value", arguments: MigrationKind.allCases)
        func kept(_ kind: MigrationKind) throws {
            let sample = try SampleStore.standard(rows: Self.rows)
            let store = try sample.copy()
            let before = try store.sums(SampleColumns.before)
            #expect(before.count == Self.rows)
            #expect(try store.migrate(kind) == 0, "\(store.directory.errors)")
            let after = try store.sums(kind)
            #expect(after.count == before.count && after.values == before.values)
            #expect(try store.problems() == [])
        }

        @Test("A migration torn at any write is undone or complete, and the next start completes the migration")
        func cutOff() throws {
            let sample = try SampleStore.standard(rows: Self.rows)
            let whole = try sample.copy()
            let before = try whole.state()
            #expect(try whole.migrate(.all, DiskFaults.none) == 0, "\(whole.directory.errors)")
            let after = try whole.state()
            #expect(before != after)
            let writes = try whole.directory.trace().count(.written, .database, .log, .journal)

            var undone = 0
            for number in Sweep.numbers(1...writes, sample: 6, all: 60, "cut off migrations") {
                let store = try sample.copy()
                let status = try store.migrate(.all, .tornWrite(number))
                // A closing store may write once less than in the earlier run.
                #expect(status == DiskFaults.exitStatus || status == 0, "write \(number): \(store.directory.errors)")
                if try expectWhole(store, before: before, after: after, "write \(number)") == before { undone += 1 }
            }
            // Otherwise no migration was interrupted halfway.
            #expect(undone > 0)
        }

        @Test(
            "A migration killed at any moment is undone or complete, and the next start completes the migration",
            .enabled(if: Explore.isOn, "The moments are of real time; AVIARY_EXPLORE=1 runs it."))
        func killed() throws {
            let sample = try SampleStore.standard(rows: Self.rows)
            let whole = try sample.copy()
            let (before, began) = (try whole.state(), ContinuousClock.now)
            #expect(try whole.migrate(.all) == 0, "\(whole.directory.errors)")
            let duration = (ContinuousClock.now - began) / .seconds(1)
            let after = try whole.state()

            var generator = Sweep.generator("killed migrations")
            var undone = 0
            for _ in 0..<50 {
                let store = try sample.copy()
                let running = try store.start(.all)
                usleep(UInt32(Double.random(in: 0...duration, using: &generator) * 1_000_000))
                running.kill()
                _ = running.wait()
                if try expectWhole(store, before: before, after: after, "killed") == before { undone += 1 }
            }
            // Otherwise no migration was killed halfway.
            #expect(undone > 0)
        }

        /// - Returns: The state of the store before its next start.
        private func expectWhole(
            _ store: SampleStore, before: [[String]], after: [[String]], _ what: String
        ) throws -> [[String]] {
            let context = Comment(rawValue: "\(what), AVIARY_SEED=\(Sweep.seed)")
            let state = try store.state()
            #expect(state == before || state == after, context)
            #expect(try store.problems() == [], context)
            #expect(try store.migrate(.all) == 0, "\(store.directory.errors)")
            #expect(try store.state() == after, context)
            return state
        }
    }
}
