import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import AviaryData

@Suite("History queries")
struct HistoryQueryTests {
    /// Creates six commits, an hour apart, in which ada and bob change zones and keepers in turns.
    private func fixture() async throws -> (fixture: StoreFixture, zone: Zone, start: Date) {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let clock = Mutex(start)
        let fixture = try StoreFixture(.rules(), now: { clock.withLock { $0 } })
        let zone = Zone()
        let changes: [[Change]] = [
            [zone.insertion, Keeper().insertion], [Cage(in: zone).insertion, Cage(in: zone).insertion],
            [Keeper().insertion],
            [Zone().insertion], [Keeper().insertion, Keeper().insertion], [zone.deletion],
        ]
        for (number, changes) in changes.enumerated() {
            _ = try await fixture.store.submit(
                ChangeSet(author: number.isMultiple(of: 2) ? "ada" : "bob", changes: changes))
            clock.withLock { $0 += 3600 }
        }
        return (fixture, zone, start)
    }

    @Test("A query filters commits by record, model, author and time, newest first")
    func filters() async throws {
        let (fixture, zone, start) = try await fixture()
        func numbers(_ query: HistoryQuery) async throws -> [Int64] {
            try await fixture.history.commits(query).map(\.number)
        }
        let afternoon = start.addingTimeInterval(3600)..<start.addingTimeInterval(4 * 3600)
        #expect(try await numbers(HistoryQuery()) == [6, 5, 4, 3, 2, 1])
        #expect(try await numbers(HistoryQuery(record: zone.id.uuid)) == [6, 1])
        #expect(try await numbers(HistoryQuery(models: ["Keeper"])) == [5, 3, 1])
        #expect(try await numbers(HistoryQuery(models: ["Cage"])) == [6, 2])
        #expect(try await numbers(HistoryQuery(author: "bob")) == [6, 4, 2])
        #expect(try await numbers(HistoryQuery(time: afternoon)) == [4, 3, 2])
        #expect(try await numbers(HistoryQuery(models: ["Keeper"], author: "ada", time: afternoon)) == [3])
        #expect(try await numbers(HistoryQuery(record: zone.id.uuid, models: ["Keeper"])).isEmpty)
        #expect(try await numbers(HistoryQuery(record: .version7())).isEmpty)
    }

    @Test("The pages of a query contain every commit exactly once")
    func pages() async throws {
        let (fixture, _, _) = try await fixture()
        for query in [
            HistoryQuery(limit: 2), HistoryQuery(models: ["Keeper"], limit: 2), HistoryQuery(author: "ada", limit: 2),
        ] {
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

    @Test("The changes of a commit are paged in order")
    func changes() async throws {
        let fixture = try StoreFixture.rules()
        let receipt = try await fixture.store.submit(
            ChangeSet(author: "ada", changes: (0..<25).map { _ in Zone().insertion }))
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

    @Test("A query can name several models, and an empty set of models matches no commit")
    func models() async throws {
        let (fixture, zone, start) = try await fixture()
        func numbers(_ query: HistoryQuery) async throws -> [Int64] {
            try await fixture.history.commits(query).map(\.number)
        }
        #expect(try await numbers(HistoryQuery(models: ["Keeper", "Cage"])) == [6, 5, 3, 2, 1])
        #expect(try await numbers(HistoryQuery(models: ["Keeper", "Cage"], limit: 2)) == [6, 5])
        #expect(try await numbers(HistoryQuery(models: ["Keeper", "Cage"], before: 5)) == [3, 2, 1])
        #expect(try await numbers(HistoryQuery(models: ["Keeper"], author: "bob")).isEmpty)
        #expect(try await numbers(HistoryQuery(models: ["Cage"], author: "bob")) == [6, 2])
        #expect(try await numbers(HistoryQuery(models: ["Zone"], time: start..<start.addingTimeInterval(3600))) == [1])
        #expect(try await numbers(HistoryQuery(record: zone.id.uuid, models: ["Zone", "Keeper"])) == [6, 1])
        #expect(try await numbers(HistoryQuery(models: [])).isEmpty)
        #expect(try await numbers(HistoryQuery(models: [], author: "ada")).isEmpty)
    }

    @Test("A commit is found by its number, and its changes are tallied by model and kind")
    func commit() async throws {
        let (fixture, _, _) = try await fixture()
        #expect(try await fixture.history.commit(2)?.author == "bob")
        #expect(try await fixture.history.commit(99) == nil)
        // The delete of the zone cascades to its cages.
        let tally = [
            ChangeTally(model: "Cage", kind: .delete, count: 2), ChangeTally(model: "Zone", kind: .delete, count: 1),
        ]
        #expect(try await fixture.history.tally(of: 6, limit: nil) == tally)
        #expect(try await fixture.history.tally(of: 6, limit: 2).map(\.count).reduce(0, +) == 2)
        #expect(
            try await fixture.history.changes(of: 6, models: ["Zone"], after: nil, limit: 9).map(\.model) == ["Zone"])
        #expect(try await fixture.history.changes(of: 6, models: [], after: nil, limit: 9).isEmpty)
    }

    @Test("The changes of a record are paged from newest to oldest")
    func ofRecord() async throws {
        let (fixture, zone, _) = try await fixture()
        let all = try await fixture.history.changes(of: zone.id.uuid, in: "Zone", before: nil, limit: 9)
        #expect(all.map(\.kind) == [.delete, .insert])
        let second = try await fixture.history.changes(of: zone.id.uuid, in: "Zone", before: all[0].number, limit: 1)
        #expect(second == [all[1]])
        #expect(try await fixture.history.changes(of: zone.id.uuid, in: "Cage", before: nil, limit: 9).isEmpty)
    }

    @Test("Changes are counted by model and interval")
    func counts() async throws {
        let (fixture, _, start) = try await fixture()
        let times = [0, 2, 5, 6].map { start.addingTimeInterval($0 * 3600) }
        let counts = try await SQLStatisticsRepository(readers: fixture.readers).changes(
            of: ["Keeper", "Zone"], between: times)
        #expect(counts == ["Keeper": [1, 3, 0], "Zone": [1, 1, 1]])
    }

    @Test("A distribution lists the values by descending number of records")
    func distribution() async throws {
        let fixture = try StoreFixture.lists()
        let diets: [Animal.Diet] = [.carnivorous, .herbivorous, .omnivorous, .herbivorous, .omnivorous, .herbivorous]
        for diet in diets { try await fixture.insert(Animal(name: "Kea", diet: diet)) }
        let statistics = SQLStatisticsRepository(readers: fixture.readers)
        let counts = try await statistics.distribution(of: "diet", in: "Animal", limit: 9)
        #expect(counts.map(\.value) == [.text("herbivorous"), .text("omnivorous"), .text("carnivorous")])
        #expect(counts.map(\.count) == [3, 2, 1])
        #expect(try await statistics.distribution(of: "diet", in: "Animal", limit: 1).map(\.count) == [3])
        #expect(try await statistics.distribution(of: "no such", in: "Animal", limit: 9).isEmpty)
        #expect(try await statistics.distribution(of: "diet", in: "no such", limit: 9).isEmpty)
    }

    @Test("History queries by record, model or author use an index", .onlySQLite("query plans of this form"))
    func plans() async throws {
        let (fixture, zone, _) = try await fixture()
        let dialect = StoreEngines.standard.dialect
        func entries(_ query: HistoryQuery) -> String { query.entries(dialect).map(\.sql).joined() }
        let statements = [
            HistoryQuery().heads.sql: ["SCAN aviary_commit"],  // The scan starts at the end and stops at a full page.
            HistoryQuery(before: 7).heads.sql: ["USING INTEGER PRIMARY KEY (rowid<?)"],
            HistoryQuery(author: "ada").heads.sql: ["USING INDEX aviary_commit_author (author=?)"],
            HistoryQuery(models: ["Zone"], author: "ada").heads.sql: [
                "USING INDEX aviary_commit_author (author=?)", "CORRELATED", "aviary_change_model (model=? AND rowid",
            ],
            entries(HistoryQuery(record: zone.id.uuid, models: ["Zone"])): ["aviary_change_record (record=? AND rowid"],
            ChangeTable.allOfRecord.sql(dialect): ["aviary_change_record (record=?)"],
            ChangeTable.laterOfRecord.sql(dialect): ["aviary_change_record (record=? AND rowid>?)"],
            ChangeTable.earlierOfRecord.sql(dialect): ["aviary_change_record (record=? AND rowid<?)"],
            ChangeTable.modelSearch: ["aviary_change_model (model=? AND rowid"],
            entries(HistoryQuery(models: ["Zone"])): ["aviary_change_model (model=? AND rowid"],
        ]
        for (sql, steps) in statements {
            let plan = try fixture.readers.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql) { $0.text(3) ?? "" }
            }
            #expect(plan.count == steps.count && zip(plan, steps).allSatisfy { $0.contains($1) }, "\(sql): \(plan)")
        }
    }
}
