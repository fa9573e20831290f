import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Merging of text indexes", .onlySQLite("a text index that the store merges"))
struct TextIndexMergingTests {
    /// A number of segments of a level that only is reached if the store does not merge.
    private static let many = 14

    /// Creates a store without the timer, so that the test performs each maintenance step itself.
    private func store(stepLimits: StepLimits = StepLimits()) async throws -> StoreFixture {
        let fixture = try StoreFixture(Schema([LeafPage.schema]), stepLimits: stepLimits)
        await fixture.store.stopTimer()
        return fixture
    }

    /// Returns pages with texts of random letters, so that each has parts that no other has.
    private func pages(_ count: Int, words: Int, _ generator: inout SeededGenerator) -> [LeafPage] {
        (0..<count).map { number in
            let text = (0..<words).map { _ in
                String((0..<8).map { _ in Character(UnicodeScalar(UInt8.random(in: 97...122, using: &generator))) })
            }
            return LeafPage("page \(number)", text.joined(separator: " "))
        }
    }

    @Test("A save merges a few pages, however many large segments there are")
    func saves() async throws {
        let fixture = try await store()
        var generator = SeededGenerator(seed: TestSeed.value)
        for page in 0..<6 {
            // Large transactions leave segments that a save could merge for a long time.
            try await fixture.insert(pages(400, words: 20 + page, &generator))
        }
        var most = 0
        for page in pages(150, words: 3, &generator) {
            let before = await fixture.store.statistics.logPages
            try await fixture.insert(page)
            most = max(most, await fixture.store.statistics.logPages - before)
        }
        // The save itself writes about 20 pages. It merges at most 32, and removes as many that it has merged.
        #expect((20..<100).contains(most), "\(most) pages")
        #expect(try fixture.levels().allSatisfy { $0.pages.count < Self.many })
    }

    @Test("Large batches merge as much as they write, before the engine would merge everything at once")
    func bulk() async throws {
        let fixture = try await store()
        var generator = SeededGenerator(seed: TestSeed.value)
        var most = 0
        for _ in 0..<60 {
            try await fixture.insert(pages(101, words: 12, &generator))
            most = max(most, try fixture.levels().map(\.pages.count).max() ?? 0)
        }
        #expect((4..<Self.many).contains(most), "\(most) segments")
        #expect(try fixture.searchProblems() == [])
    }

    @Test("A long change pauses for its segments, and its index is right")
    func longChange() async throws {
        var limits = StepLimits()
        (limits.rowsAtOnce, limits.changesAtOnce, limits.duration) = (10, 10, .zero)
        let fixture = try await store(stepLimits: limits)
        var generator = SeededGenerator(seed: TestSeed.value)
        let first = LeafPage("first")
        let followers = pages(1500, words: 3, &generator).map { page in
            var page = page
            page.next = Reference(first)
            return page
        }
        try await fixture.insert([first] + followers)
        let receipt = try await fixture.submit(first.deletion)
        await fixture.store.finishLongChange()
        #expect(try fixture.searchProblems() == [])
        try await fixture.undo(receipt.commit)
        await fixture.store.finishLongChange()
        #expect(try fixture.levels().allSatisfy { $0.pages.count < Self.many })
        #expect(try await fixture.pages.fetchCount() == 1501)
        #expect(try fixture.searchProblems() == [])
    }

    @Test("Maintenance merges what is left, and then has nothing to do")
    func maintenance() async throws {
        let fixture = try await store()
        var generator = SeededGenerator(seed: TestSeed.value)
        for _ in 0..<4 { try await fixture.insert(pages(60, words: 12, &generator)) }
        #expect(try fixture.levels().contains { $0.pages.count >= 4 })
        var merged = 0
        while let step = await fixture.store.maintenanceStep() {
            if step == .mergedTextIndex { merged += 1 }
        }
        #expect(merged > 0)
        #expect(try fixture.levels().allSatisfy { $0.pages.count < 4 && !$0.isMerging })
        #expect(try fixture.searchProblems() == [])
    }

    @Test("The store takes over the merging of a file of a former version")
    func formerVersion() async throws {
        let fixture = try await store()
        func automatic() throws -> Int64? { try fixture.setting("automerge") }
        #expect(try automatic() == 0)
        try await fixture.store.configure { connection in
            let index = #""aviary_search.LeafPage.words""#
            try connection.run("INSERT INTO \(index) (\(index), rank) VALUES ('automerge', 4)")
        }
        #expect(try automatic() == 4)
        await fixture.store.close()
        let again = try StoreFixture.pages(in: fixture.temporary)
        #expect(try automatic() == 0)
        #expect(try fixture.setting("crisismerge") == 64)
        await again.store.close()
    }

    @Test("A rebuilt index has few segments, and the store merges it from then on")
    func rebuilt() async throws {
        let fixture = try await store()
        var generator = SeededGenerator(seed: TestSeed.value)
        for _ in 0..<4 { try await fixture.insert(pages(500, words: 30, &generator)) }
        try await fixture.store.configure { connection in
            let search = try SearchIndexes(Schema([LeafPage.schema]), connection.dialect)
            try connection.transaction { try search.rebuild(in: connection) }
        }
        #expect(try fixture.setting("automerge") == 0)
        #expect(try fixture.setting("hashsize") == 1 << 20, "the memory of a save is that of FTS5")
        #expect(try fixture.levels().allSatisfy { $0.pages.count < 5 })
        #expect(try fixture.searchProblems() == [])
    }

    @Test("An index that gets the texts of many records at once, as in a restore, has few segments")
    func manyAtOnce() async throws {
        let fixture = try await store()
        var generator = SeededGenerator(seed: TestSeed.value)
        for _ in 0..<4 { try await fixture.insert(pages(500, words: 30, &generator)) }
        try await fixture.store.configure { connection in
            let search = try SearchIndexes(Schema([LeafPage.schema]), connection.dialect)
            try connection.transaction {
                try connection.run(#"UPDATE "LeafPage" SET title = title || '!'"#)
                try search.install(in: connection)
            }
        }
        #expect(try fixture.levels().allSatisfy { $0.pages.count < 5 })
        #expect(try fixture.searchProblems() == [])
    }

    @Test(
        "Maintenance rebuilds an index that it finds damaged, and the store is not damaged", arguments: [false, true])
    func damaged(lacksTable: Bool) async throws {
        let fixture = try await store()
        var generator = SeededGenerator(seed: TestSeed.value)
        for _ in 0..<4 { try await fixture.insert(pages(60, words: 12, &generator)) }
        try await fixture.store.configure { connection in
            try connection.sqlite.defend(false)
            let data = #""aviary_search.LeafPage.words_data""#
            // Rows 1 and 10 are the averages and the segments; the others are pages.
            try connection.run(lacksTable ? "DROP TABLE \(data)" : "DELETE FROM \(data) WHERE id > 10")
            try connection.sqlite.defend(true)
        }
        while await fixture.store.maintenanceStep() != nil {}
        #expect(await fixture.store.statistics.fileCheck == .notNeeded)
        try await fixture.insert(LeafPage("a new page"))
        #expect(try fixture.searchProblems() == [])
    }

    @Test("A file whose index lacks a table is opened, and the next change rebuilds the index")
    func incomplete() async throws {
        let fixture = try await store()
        try await fixture.insert(LeafPage("first"))
        try await fixture.store.configure { connection in
            try connection.sqlite.defend(false)
            try connection.run(#"DROP TABLE "aviary_search.LeafPage.words_config""#)
        }
        await fixture.store.close()
        let again = try StoreFixture.pages(in: fixture.temporary)
        try await again.insert(LeafPage("second"))
        #expect(try again.searchProblems() == [])
        await again.store.close()
    }

    @Test("A record of segments is decoded, and an incomplete one is none")
    func record() throws {
        // 4 bytes, 2 levels, 3 segments, 300 written pages; one segment that is being merged; two segments.
        let record: [UInt8] = [0, 0, 0, 9, 2, 3, 0x82, 0x2C, 1, 1, 7, 1, 72, 0, 2, 8, 1, 1, 9, 3, 0x81, 0x00]
        let segments = try #require(TextIndexSegments(record))
        #expect(segments.levels.map(\.pages) == [[72], [1, 126]])
        #expect(segments.levels.map(\.isMerging) == [true, false])
        #expect(segments.pages == 199)
        for length in record.indices { #expect(TextIndexSegments(Array(record.prefix(length))) == nil) }
        #expect(TextIndexSegments([0, 0, 0, 9] + [UInt8](repeating: 0xFF, count: 40)) == nil)
    }
}

extension StoreFixture {
    fileprivate func insert(_ pages: [LeafPage]) async throws {
        try await store.submit(ChangeSet(author: "test", changes: pages.map(\.insertion)))
    }

    /// Returns a setting of the text index.
    fileprivate func setting(_ name: String) throws -> Int64? {
        try readers.read { connection in
            try connection.firstRow(
                #"SELECT v FROM "aviary_search.LeafPage.words_config" WHERE k = ?"#, [.text(name)]
            ) { $0.integer(0) }
        }
    }

    /// Returns the levels of the text index.
    fileprivate func levels() throws -> [TextIndexSegments.Level] {
        try readers.read { connection in
            let table = try #require(SearchIndexes(schema, connection.dialect).tables.first)
            return try TextIndexSegments(try #require(table.merging), in: connection)?.levels ?? []
        }
    }
}
