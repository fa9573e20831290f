import Foundation
import Testing

extension FaultTests {
    @Suite("A migration keeps every row, or has not happened")
    struct MigrationTests {
        /// A million in the whole sweep.
        private static let rows = Sweep.size(20_000, all: 1_000_000)

        @Test("Each kind of change keeps every row and every value", arguments: MigrationKind.allCases)
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

        @Test("Killed at any moment, the store is as before or as after, and the next start brings it to its end")
        func killed() throws {
            let sample = try SampleStore.standard(rows: Self.rows)
            let whole = try sample.copy()
            let (before, began) = (try whole.state(), Date())
            #expect(try whole.migrate(.all) == 0, "\(whole.directory.errors)")
            let duration = Date().timeIntervalSince(began)
            let after = try whole.state()
            #expect(before != after)

            var generator = Sweep.generator("killed migrations")
            var undone = 0
            for _ in 0..<Sweep.size(6, all: 50) {
                let store = try sample.copy()
                let running = try store.start(.all)
                usleep(UInt32(Double.random(in: 0...duration, using: &generator) * 1_000_000))
                running.kill()
                _ = running.wait()
                let state = try store.state()
                #expect(state == before || state == after)
                #expect(try store.problems() == [])
                if state == before { undone += 1 }
                #expect(try store.migrate(.all) == 0, "\(store.directory.errors)")
                #expect(try store.state() == after)
            }
            // Else it was never killed half-way.
            #expect(undone > 0)
        }
    }
}
