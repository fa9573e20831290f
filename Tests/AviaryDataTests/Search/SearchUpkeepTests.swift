import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Updates of the text index")
struct SearchUpkeepTests {
    @Test("The index follows inserts, updates, deletes, cascades and undos")
    func changes() async throws {
        let fixture = try StoreFixture.pages()
        var first = LeafPage("first whale"), second = LeafPage("second", "a shark"), third = LeafPage("third")
        second.next = Reference(first)
        third.next = Reference(second)
        try await fixture.insert(first, second, third)
        #expect(try await fixture.titles("whale") == ["first whale"])
        let update = try await fixture.pages.update(second.id) { $0.text = "a dolphin" }
        #expect(try await fixture.titles("shark").isEmpty)
        #expect(try await fixture.titles("dolphin") == ["second"])
        try await fixture.pages.update(second.id) {
            $0.text = nil; $0.mark = "not searched"
        }
        #expect(try await fixture.titles("dolphin").isEmpty)
        first.title = "unused"
        let deletion = try await fixture.pages.delete(id: first.id)
        #expect(try await fixture.pages.fetchCount() == 0)
        #expect(try await fixture.titles("second").isEmpty)
        #expect(try fixture.searchProblems() == [])
        _ = try await fixture.store.undo(Undo(commit: deletion.commit, author: "test"))
        #expect(try await fixture.titles("first whale") == ["first whale"])
        #expect(try await fixture.titles("third") == ["third"])
        #expect(try fixture.searchProblems() == [])
        #expect(update.commit == 2)
    }

    @Test("A rejected change set leaves no trace in the index")
    func refused() async throws {
        let fixture = try StoreFixture.pages()
        let kept = LeafPage("kept whale"), again = LeafPage("again")
        let broken = ChangeSet(
            author: "test", changes: [LeafPage("broken whale").insertion, again.insertion, again.insertion])
        let sound = ChangeSet(author: "test", changes: [kept.insertion])
        _ = try await fixture.submitTogether([sound, broken])
        #expect(try await fixture.titles("whale") == ["kept whale"])
        #expect(try fixture.searchProblems() == [])
    }

    @Test("The index matches the records after random changes", arguments: [TestSeed.value])
    func random(seed: UInt64) async throws {
        let fixture = try StoreFixture.pages()
        var generator = SeededGenerator(seed: seed)
        let words = [
            "whale", "Whale", "wâl", "é", "e\u{301}xit", "日本語", "ß", "a\"b", "", "x", "\u{FFFF}ab", "🐳🐳🐳",
            "the whale is",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: " ")
        }
        var pages: [LeafPage.ID: LeafPage] = [:], made: [LeafPage.ID] = []
        for step in 0..<120 {
            var changes: [Change] = []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let known = made.filter { pages[$0] != nil }.randomElement(using: &generator)
                switch (Int.random(in: 0..<4, using: &generator), known) {
                case (0, let id?):
                    pages[id] = nil
                    changes.append(.delete(model: "LeafPage", id: id.uuid))
                case (1, let id?) where !changes.contains { $0.describes(id.uuid) || $0.isDeletion }:
                    guard var page = pages[id], let version = try await fixture.find(page)?.version else { continue }
                    page.text = Bool.random(using: &generator) ? text() : nil
                    pages[id] = page
                    changes.append(
                        .update(
                            model: "LeafPage", id: id.uuid, version: version, values: ["text": page.text.fieldValue]))
                default:
                    let page = LeafPage(text(), text())
                    changes.append(page.insertion)
                    pages[page.id] = page
                    made.append(page.id)
                }
            }
            guard !changes.isEmpty else { continue }
            _ = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
            guard step % 20 == 19 else { continue }
            #expect(try fixture.searchProblems() == [], "seed \(seed)")
            let stored = try await fixture.pages.fetchAll()
            for part in ["whale", "wal", "e", "exi", "日本語", "ss", "\"", "a\"b", "\u{FFFF}ab", "🐳🐳🐳", "whale is", "zzz"]
            {
                let wanted = stored.filter { page in
                    part.split(separator: " ").allSatisfy {
                        page.title.containsFolded(String($0)) || page.text?.containsFolded(String($0)) == true
                    }
                }
                #expect(try await fixture.pages.search(part).map(\.id) == wanted.map(\.id), "\(part), seed \(seed)")
                let exact = try await fixture.pages.fetchIdentifiers(
                    FetchDescriptor(predicate: #Predicate { !$0.title.localizedStandardContains(part) }))
                #expect(exact == stored.filter { !$0.title.containsFolded(part) }.map(\.id), "\(part), seed \(seed)")
            }
        }
    }

    @Test("The index is rebuilt when the searched properties change and dropped when none is left")
    func declared() async throws {
        let temporary = TemporaryDirectory()
        for searching in [[], ["title"], ["title", "text"], ["text", "mark"], [], ["mark"]] as [Set<String>] {
            let fixture = try StoreFixture.pages(searching, in: temporary)
            if searching.isEmpty {
                try await fixture.insert(LeafPage("whale", "shark", mark: "seal"))
                #expect(
                    try fixture.readers.read { try $0.tableNames() }.contains { $0.hasPrefix("aviary_search") } == false
                )
                #expect(try fixture.readers.read { try $0.triggers() }.isEmpty)
            } else {
                for (property, word) in [("title", "whale"), ("text", "shark"), ("mark", "seal")] {
                    let query = RecordQuery(
                        condition: fixture.schema.models[0].searchExpression(
                            for: word, in: fixture.schema.models[0].searchedProperties))
                    let found = try await fixture.records(LeafPage.self).identifiers(query).count
                    #expect((found > 0) == searching.contains(property), "\(searching) \(word)")
                }
            }
            await fixture.store.close()
            fixture.readers.close()
        }
    }

    @Test(
        "The tests detect a missing trigger and a changed row, and reopening the store rebuilds the index",
        arguments: [true, false])
    func noticed(isNoted: Bool) async throws {
        let fixture = try StoreFixture.pages()
        try await fixture.insert(LeafPage("old whale"))
        #expect(try fixture.searchProblems() == [])
        try await fixture.store.configure { connection in
            let trigger = connection.dialect.name("aviary_search.LeafPage.insert")
            try connection.run(connection.dialect.dropTrigger(trigger))
            if isNoted {
                try connection.run("UPDATE \"aviary_search.LeafPage\" SET title = 'other'")
            }
        }
        if !isNoted { try await fixture.insert(LeafPage("new whale")) }
        #expect(try fixture.searchProblems() != [])
        // The next opening detects that a trigger is missing, and rebuilds everything.
        await fixture.store.close()
        fixture.readers.close()
        let again = try StoreFixture.pages(in: fixture.temporary)
        #expect(try again.searchProblems() == [])
    }

    @Test("The index is complete after a restore")
    func restored() async throws {
        let fixture = try StoreFixture.pages()
        try await fixture.insert(LeafPage("old whale"))
        let snapshots = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Book", schema: fixture.schema, sortIndexes: [],
            runningStore: { fixture.store }
        )
        let path = try #require(try await snapshots.create(at: .standard, level: 1).path)
        try await fixture.insert(LeafPage("new whale"))
        _ = try await snapshots.restore(from: path)
        #expect(try await fixture.titles("whale") == ["old whale"])
        try await fixture.insert(LeafPage("newer whale"))
        #expect(try await fixture.titles("whale") == ["newer whale", "old whale"])
        #expect(try fixture.searchProblems() == [])
    }
}

extension Change {
    fileprivate var isDeletion: Bool { if case .delete = self { true } else { false } }

    fileprivate func describes(_ record: UUID) -> Bool {
        switch self {
        case .insert(_, let id, _), .update(_, let id, _, _), .delete(_, let id, _): id == record
        default: false
        }
    }
}
