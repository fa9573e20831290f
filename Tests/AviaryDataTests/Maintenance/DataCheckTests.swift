import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Data check of totals, text indexes, links and history")
struct DataCheckTests {
    @Test("The check finds no problems after random change sets", arguments: [1, 2, 3] as [UInt64])
    func sound(seed: UInt64) async throws {
        let fixture = try StoreFixture.rules()
        var random = RandomHistory(seed: seed)
        for _ in 0..<40 { _ = try await fixture.submitTogether(random.nextChangeSets()) }
        for commit in try await fixture.history.commits(HistoryQuery(limit: 10)) {
            _ = await fixture.undoRefusal(of: commit.number)
        }
        let report = try await check(fixture)
        #expect(report.problems == [] && report.entries > 50)
    }

    @Test("A wrong total is reported with both numbers as derived data")
    func total() async throws {
        let fixture = try await sample()
        try await spoil(fixture, "UPDATE aviary_total SET records = 40 WHERE model = 'LeafPage'")
        let report = try await check(fixture)
        #expect(report.problems == ["The total of LeafPage is 40, and there are 3 records."])
        #expect(report.areAllDerived && report.problemCount == 1)
    }

    @Test(
        "A missing, extra or different row of a text index is reported as derived data",
        arguments: [
            #"DELETE FROM "aviary_search.LeafPage" WHERE title LIKE 'kea%'"#,
            #"UPDATE "aviary_search.LeafPage" SET title = 'dodo' WHERE title LIKE 'kea%'"#,
            #"INSERT INTO "aviary_search.LeafPage" (id, title) VALUES ('ffffffff-ffff-7fff-bfff-ffffffffffff', 'dodo')"#,
            #"INSERT INTO "aviary_search.LeafPage.words" ("aviary_search.LeafPage.words", rowid, title, text) "#
                + #"SELECT 'delete', number, title, text FROM "aviary_search.LeafPage" WHERE title LIKE 'kea%'"#,
        ])
    func words(statement: String) async throws {
        // The index of the other engine has no rows that a statement could change.
        if TestEngine.isPostgreSQL, statement.contains(".words") { return }
        let fixture = try await sample()
        try await spoil(fixture, statement)
        let report = try await check(fixture)
        #expect(report.problemCount > 0 && report.areAllDerived)
        #expect(report.problems.allSatisfy { $0.contains("text index of LeafPage") })
    }

    @Test("A record that was changed outside the store is reported without its values")
    func changed() async throws {
        let fixture = try await sample()
        try await spoil(fixture, "UPDATE \"LeafPage\" SET mark = 'hushhush' WHERE title = 'Kea'")
        let report = try await check(fixture)
        #expect(report.problemCount == 1 && !report.areAllDerived)
        #expect(report.problems.first?.contains("has another mark than commit 2 left") == true)
        #expect(report.problems.first?.contains("hushhush") == false)
    }

    @Test(
        "A record or entry that contradicts the history is reported",
        arguments: [
            ("UPDATE \"LeafPage\" SET aviary_version = 1 WHERE title = 'Kea'", "is older than commit 2"),
            ("UPDATE \"LeafPage\" SET aviary_version = 99", "is of commit 99, which is later than the last"),
            (
                "INSERT INTO \"LeafPage\" (id, aviary_version, title, mark) VALUES ('ffffffff-ffff-7fff-bfff-ffffffffffff', 1, 'Dodo', '')",
                "the history has no entry of that"
            ), ("DELETE FROM \"LeafPage\" WHERE title = 'Kiwi'", "does not say that it was deleted"),
            ("DELETE FROM aviary_change WHERE number = 3", "Commit 1 has 3 entries, and the history has 2."),
            ("UPDATE aviary_change SET fields = '{' WHERE number = 2", "Entry 2 of the history cannot be read."),
        ])
    func otherRecords(statement: String, sentence: String) async throws {
        let fixture = try await sample()
        try await spoil(fixture, statement)
        #expect(try await check(fixture).problems.contains { $0.contains(sentence) })
    }

    @Test("A missing or extra link is reported")
    func links() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(), author = Author(), other = Author()
        try await fixture.insert(book, author, other)
        try await fixture.submit(.link(book, \.authors, author))
        try await fixture.submit(.link(book, \.authors, other))
        try await fixture.submit(.unlink(book, \.authors, other))
        #expect(try await check(fixture).problems == [])
        let (id, gone, back) = (book.id.description, author.id.description, other.id.description)
        try await spoil(fixture, #"DELETE FROM "aviary_link.Book.authors""#)
        try await spoil(
            fixture, #"INSERT INTO "aviary_link.Book.authors" (source, target) VALUES ('\#(id)', '\#(back)')"#)
        #expect(
            Set(try await check(fixture).problems) == [
                "Book.authors of \(id) has no link with \(gone), which the history says it has.",
                "Book.authors of \(id) has a link with \(back), which the history says it lost.",
            ])
    }

    @Test("A reference to a missing record is reported")
    func references() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(birds, Animal(name: "Kea", category: birds))
        #expect(try await check(fixture).problems == [])
        try await spoil(fixture, "DELETE FROM \"Category\"")
        #expect(try await check(fixture).problems.contains { $0.hasPrefix("In Animal, ") })
    }

    @Test("Records that changed without history or were restored are not reported")
    func gaps() async throws {
        let temporary = TemporaryDirectory()
        let first = try StoreFixture(Schema([LeafPage.schema]), in: temporary)
        var kea = LeafPage("Kea"), kiwi = LeafPage("Kiwi")
        try await first.insert(kea, kiwi)
        await first.store.close()
        let policy = HistoryPolicy().excluding(LeafPage.self)
        let second = try StoreFixture(Schema([LeafPage.schema]), history: policy, in: temporary)
        kea.text = "alpine"
        try await second.submit(kea.update(from: 1), kiwi.deletion)
        #expect(try await check(second, policy).problems == [])
        await second.store.close()
        let third = try StoreFixture(Schema([LeafPage.schema]), in: temporary)
        kea.mark = "x"
        try await third.submit(kea.update(from: 2))
        #expect(try await check(third).problems == [])
        let repository = SQLSnapshotRepository(
            data: third.directory.path, app: "Leaf", schema: third.schema, sortIndexes: [],
            runningStore: { third.store })
        let path = try #require(
            try await repository.create(at: .standard, level: 1, includingSecrets: false, includingHistory: true).path)
        kiwi.title = "Kiwi again"
        try await third.insert(kiwi)
        _ = try await repository.restore(from: path)
        #expect(try await check(third).problems == [])
        try await spoil(third, "UPDATE \"LeafPage\" SET mark = 'y'")
        #expect(try await check(third).problemCount == 1, "what was restored with its history is compared with it")
    }

    @Test("The report counts all problems and names at most 20")
    func many() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        for _ in 0..<30 { try await fixture.insert(LeafPage("Kea")) }
        try await spoil(fixture, "UPDATE \"LeafPage\" SET mark = 'x'")
        let report = try await check(fixture)
        #expect(report.problemCount == 30 && report.problems.count == 20)
    }

    @Test("An interrupted check fails, and so does the check of a directory without a store")
    func ended() async throws {
        let fixture = try await sample(), cancellationToken = CancellationToken()
        cancellationToken.request()
        await #expect(throws: SnapshotError(.interrupted)) {
            try await DataCheck(
                data: fixture.directory.path, schema: fixture.schema, history: HistoryPolicy(),
                cancellationToken: cancellationToken
            ).run()
        }
        await #expect(throws: StoreOpenError.self) {
            try await DataCheck(
                data: TemporaryDirectory().path + "/none", schema: fixture.schema, history: HistoryPolicy()
            ).run()
        }
    }

    @Test("Concurrent commits continue and are not reported", .timeLimit(.minutes(Patience.minutes)))
    func beside() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        for number in 0..<1200 { try await fixture.insert(LeafPage("Kea \(number)")) }
        let saves = Task {
            var count = 0
            while !Task.isCancelled {
                try await fixture.insert(LeafPage("Kiwi \(count)"))
                count += 1
            }
            return count
        }
        for _ in 0..<3 { #expect(try await check(fixture).problems == []) }
        saves.cancel()
        #expect(try await saves.value > 0)
    }

    // MARK: - Support

    /// Creates three pages, one of which the second commit changed.
    private func sample() async throws -> StoreFixture {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        var kea = LeafPage("Kea", "of the mountains")
        try await fixture.insert(kea, LeafPage("Kiwi", "of the woods"), LeafPage("Kaka"))
        kea.mark = "seen"
        try await fixture.submit(kea.update(from: 1))
        #expect(try await check(fixture).problems == [])
        return fixture
    }

    /// Changes the file as another program could.
    private func spoil(_ fixture: StoreFixture, _ statement: String) async throws {
        try await fixture.store.configure { connection in
            for event in ["insert", "update", "delete"] {
                let name = "aviary_search.LeafPage.\(event)"
                guard try connection.triggers()[name] != nil else { continue }
                try connection.run(connection.dialect.dropTrigger(connection.dialect.name(name)))
            }
            if !TestEngine.isPostgreSQL { try connection.run("PRAGMA foreign_keys=OFF") }
            try connection.run(statement)
        }
    }

    private func check(_ fixture: StoreFixture, _ policy: HistoryPolicy = HistoryPolicy()) async throws
        -> DataCheckReport
    {
        try await DataCheck(data: fixture.directory.path, schema: fixture.schema, history: policy).run()
    }
}
