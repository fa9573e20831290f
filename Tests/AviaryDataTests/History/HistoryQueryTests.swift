@testable import AviaryData
import AviaryDomain
import Foundation
import Synchronization
import Testing

@Suite("Asking the history")
struct HistoryQueryTests {
    /// Six commits, an hour apart: by ada and bob in turns, of animals and friends.
    private func fixture() async throws -> (fixture: StoreFixture, zone: Zone, start: Date) {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let clock = Mutex(start)
        let fixture = try StoreFixture(.rules(), now: { clock.withLock { $0 } })
        let zone = Zone()
        let changes: [[Change]] = [
            [zone.insertion, Keeper().insertion], [Cage(in: zone).insertion, Cage(in: zone).insertion], [Keeper().insertion],
            [Zone().insertion], [Keeper().insertion, Keeper().insertion], [zone.deletion],
        ]
        for (number, changes) in changes.enumerated() {
            _ = try await fixture.store.submit(ChangeSet(author: number.isMultiple(of: 2) ? "ada" : "bob", changes: changes))
            clock.withLock { $0 += 3600 }
        }
        return (fixture, zone, start)
    }

    @Test("By record, user, time, model, and all together; newest first")
    func filters() async throws {
        let (fixture, zone, start) = try await fixture()
        func numbers(_ query: HistoryQuery) async throws -> [Int64] { try await fixture.history.commits(query).map(\.number) }
        let afternoon = start.addingTimeInterval(3600)..<start.addingTimeInterval(4 * 3600)
        #expect(try await numbers(HistoryQuery()) == [6, 5, 4, 3, 2, 1])
        #expect(try await numbers(HistoryQuery(record: zone.id.uuid)) == [6, 1])
        #expect(try await numbers(HistoryQuery(model: "Keeper")) == [5, 3, 1])
        #expect(try await numbers(HistoryQuery(model: "Cage")) == [6, 2])
        #expect(try await numbers(HistoryQuery(author: "bob")) == [6, 4, 2])
        #expect(try await numbers(HistoryQuery(time: afternoon)) == [4, 3, 2])
        #expect(try await numbers(HistoryQuery(model: "Keeper", author: "ada", time: afternoon)) == [3])
        #expect(try await numbers(HistoryQuery(record: zone.id.uuid, model: "Keeper")).isEmpty)
        #expect(try await numbers(HistoryQuery(record: .version7())).isEmpty)
    }

    @Test("Page after page, nothing twice and nothing left out")
    func pages() async throws {
        let (fixture, _, _) = try await fixture()
        for query in [HistoryQuery(limit: 2), HistoryQuery(model: "Keeper", limit: 2), HistoryQuery(author: "ada", limit: 2)] {
            var all = query
            all.limit = 100
            var page = query
            var found: [CommitSummary] = []
            repeat {
                page.before = found.last?.number
                let commits = try await fixture.history.commits(page)
                #expect(commits.count <= 2)
                guard !commits.isEmpty else { break }
                found += commits
            } while true
            #expect(try await fixture.history.commits(all) == found)
        }
    }

    @Test("A commit's changes come page by page, in order")
    func changes() async throws {
        let fixture = try StoreFixture.rules()
        let receipt = try await fixture.store.submit(ChangeSet(author: "ada", changes: (0..<25).map { _ in Zone().insertion }))
        var found: [RecordChange] = []
        while true {
            let page = try await fixture.history.changes(of: receipt.commit, after: found.last?.number, limit: 10)
            if page.isEmpty { break }
            found += page
        }
        #expect(found == (try await fixture.changes(of: receipt)))
        #expect(found.count == 25)
        #expect(try await fixture.history.changes(of: 99, after: nil, limit: 10).isEmpty)
    }

    @Test("An index leads to the entries of a record, a model, a user")
    func plans() async throws {
        let (fixture, zone, _) = try await fixture()
        let statements = [
            HistoryQuery().heads.sql: "SCAN aviary_commit",  // from its end, until the page is full
            HistoryQuery(before: 7).heads.sql: "USING INTEGER PRIMARY KEY (rowid<?)",
            HistoryQuery(author: "ada").heads.sql: "USING INDEX aviary_commit_author (author=?)",
            HistoryQuery(record: zone.id.uuid, model: "Zone").entries(SQLiteDialect()).sql: "aviary_change_record (record=? AND rowid",
            HistoryQuery(model: "Zone").entries(SQLiteDialect()).sql: "aviary_change_model (model=? AND rowid",
        ]
        for (sql, index) in statements {
            let plan = try fixture.readers.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql) { $0.text(3) ?? "" }
            }
            #expect(plan.count == 1 && plan.allSatisfy { $0.contains(index) }, "\(sql): \(plan)")
        }
    }
}
