import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite(
    "Damaged pages", .onlySQLite("a file that can be damaged"),
    .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes)))
struct DamageTests {
    /// Creates a store with animals and several indexes, pages with full-text search, books with links, and a
    /// history of all.
    private static func sound() async throws -> SoundStore {
        let schema = try Schema([
            Category.schema, Animal.schema, LeafPage.declared(searching: ["title", "text"]), Book.schema, Author.schema,
            Chapter.schema,
        ])
        return try await SoundStore(schema, sortIndexes: SortIndex.lists) { fixture in
            let note = String(repeating: "n", count: 120)
            let categories = (0..<20).map { Category(name: "category \($0)") }
            try await fixture.store.submit(ChangeSet(author: "test", changes: categories.map(\.insertion)))
            for part in 0..<6 {
                let animals = (0..<60).map { number in
                    Animal(name: "animal \(part) \(number * 7 % 60)", category: categories[number % 20], note: note)
                }
                try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
            }
            let pages = (0..<80).map { LeafPage("title of page \($0)", "words \($0 * 31) that are searched") }
            try await fixture.store.submit(ChangeSet(author: "test", changes: pages.map(\.insertion)))
            let author = Author(name: "Ada")
            let books = (0..<60).map { Book(name: "book \($0)") }
            try await fixture.store.submit(
                ChangeSet(author: "test", changes: [author.insertion] + books.map(\.insertion)))
            try await fixture.store.submit(
                ChangeSet(
                    author: "test",
                    changes: books.map {
                        .link(model: "Book", property: "authors", id: $0.id.uuid, target: author.id.uuid)
                    }))
        }
    }

    private static let ownTables = StoreLayout.ownTables + ["sqlite_schema", "sqlite_stat1", ""]

    private func isOwn(_ owner: String) -> Bool {
        Self.ownTables.contains { !$0.isEmpty && owner.contains($0) } || owner.isEmpty
    }

    @Test("A damaged index rejects only changes that use the index, is reported, and is rebuilt by maintenance")
    func index() async throws {
        let sound = try await Self.sound()
        for index in ["aviary_sort.Animal.name", "sqlite_autoindex_Animal_1"] {
            let page = try #require(sound.pages(of: index).last)
            let fatal = Tally()
            let fixture = try await sound.open(sound.damaged(page, SoundStore.zero)) { _ in fatal.add() }
            let before = try await fixture.contents(of: "Animal")
            var refused = 0
            for number in 0..<60 {
                if await fixture.refusal(Animal(name: "animal 5 \(number)").insertion) == .damaged { refused += 1 }
                _ = try await fixture.insert(Category(name: "other \(number)"))
            }
            #expect(refused > 0)
            guard case .damaged(let lines, _) = await fixture.store.fileCheck else { throw UnexpectedResult() }
            #expect(lines.joined().contains("damaged"))
            try await fixture.store.careUntilDone()
            guard case .ok = await fixture.store.fileCheck else {
                Issue.record("\(await fixture.store.fileCheck)")
                continue
            }
            for number in 0..<60 { try await fixture.insert(Animal(name: "animal 5 \(number)")) }
            #expect(try await fixture.contents(of: "Animal").isSuperset(of: before))
            #expect(try await fixture.totalsMatch())
            #expect(fatal.value == 0)
            await fixture.store.close()
        }
    }

    @Test("A damaged text index does not reject changes and is rebuilt")
    func words() async throws {
        let sound = try await Self.sound()
        for table in Set(sound.owners) where table.hasPrefix("aviary_search.LeafPage") {
            let page = try #require(sound.pages(of: table).last)
            let fixture = try await sound.open(sound.damaged(page, SoundStore.zero))
            for record in try await fixture.records(LeafPage.self).fetchAll().prefix(40) {
                try await fixture.submit(
                    .update(
                        model: "LeafPage", id: record.id, version: record.version, values: ["text": .text("new words")])
                )
            }
            try await fixture.insert(LeafPage("another title", "another text"))
            await fixture.store.beginFileCheck()
            try await fixture.store.careUntilDone()
            #expect(try fixture.searchProblems().isEmpty, "\(table)")
            await fixture.store.close()
        }
    }

    @Test("A repair of any damaged page reports every lost record, and other models stay writable")
    func sweep() async throws {
        let sound = try await Self.sound()
        let original = try await sound.open(sound.damaged(1) { _ in })
        let whole = try original.contents()
        await original.store.close()
        var random = TestSeed.generator()
        let pages = Array(2..<sound.owners.count)
        // The test damages one page of each owner and kind: always for the store's own tables, and a sample of the
        // others.
        let ofEach = Dictionary(grouping: pages) { sound.owners[$0] + " " + sound.kinds[$0] }
            .sorted { $0.key < $1.key }.compactMap { $0.value.randomElement(using: &random) }
        let own = ofEach.filter { StoreLayout.ownTables.contains(sound.owners[$0]) }
        let others = ofEach.filter { !own.contains($0) }.shuffled(using: &random).prefix(6)
        for page in Explore.isOn ? pages : own + others {
            try await damage(page, of: sound, whole, SoundStore.zero)
        }
        // Random changes of bits are tested only in exploration, except those of an index.
        for page in Explore.isOn ? pages : Array(sound.pages(of: "aviary_sort.Animal.name").suffix(1)) {
            let place = Int.random(in: 0..<4096, using: &random)
            try await damage(page, of: sound, whole) { bytes in
                for index in place..<min(place + 16, bytes.count) { bytes[index] ^= 0xFF }
            }
        }
    }

    private func damage(
        _ page: Int, of sound: SoundStore, _ whole: [String: [UUID: [FieldValue]]], _ change: (inout [UInt8]) -> Void
    ) async throws {
        let owner = sound.owners[page]
        let name: Comment = "page \(page) of \(owner)"
        let directory = try sound.damaged(page, change)
        let fatal = Tally()
        let saved = Author(name: "saved meanwhile")
        var isSaved = false
        do {
            let fixture = try await sound.open(directory) { _ in fatal.add() }
            for number in 0..<5 { _ = await fixture.refusal(Animal(name: "animal 2 \(number)").insertion) }
            for number in 0..<5 { _ = await fixture.refusal(LeafPage("title \(number)").insertion) }
            let refusal = await fixture.refusal(saved.insertion)
            isSaved = refusal == nil
            if !isOwn(owner), !owner.contains("Author") { #expect(isSaved, "\(name): \(String(describing: refusal))") }
            if !isOwn(owner) { #expect(fatal.value == 0, name) }
            await fixture.store.beginFileCheck()
            try await fixture.store.careUntilDone()
            await fixture.store.close()
            fixture.readers.close()
        } catch {
            #expect(isOwn(owner), "\(name): \(error)")
        }
        let report: RepairReport
        do {
            report = try sound.repair(directory)
        } catch {
            #expect(isOwn(owner), "\(name): \(error)")
            return
        }
        let repaired = try await sound.open(directory)
        let contents = try repaired.contents()
        for (model, records) in whole {
            let lost = Set(report.lost[model] ?? [])
            let missing = records.filter { contents[model]?[$0.key] == nil }.map(\.key)
            #expect(missing.allSatisfy(lost.contains), "\(name): \(missing.count) \(model) are gone and not named")
            if owner != model, !isOwn(owner) { #expect(missing.isEmpty, "\(name): \(model)") }
        }
        if isSaved, owner != "Author" { #expect(contents["Author"]?[saved.id.uuid] != nil, name) }
        await repaired.store.beginFileCheck()
        try await repaired.store.careUntilDone()
        if case .ok = await repaired.store.fileCheck {
        } else {
            Issue.record("\(name): \(await repaired.store.fileCheck)")
        }
        #expect(try await repaired.totalsMatch(), name)
        // A changed entry, which occurs only in exploration, may be another valid entry.
        if !Explore.isOn, StoreLayout.ownTables.contains(owner) {
            #expect(try await repaired.dataProblems() == [], name)
        }
        try await repaired.insert(Animal(name: "afterwards"), LeafPage("afterwards"))
        await repaired.store.close()
    }

    @Test("The store opens with damaged totals and counts its records again")
    func totals() async throws {
        let sound = try await Self.sound()
        let page = try #require(sound.pages(of: "aviary_total").last)
        let fatal = Tally()
        let fixture = try await sound.open(sound.damaged(page, SoundStore.zero)) { _ in fatal.add() }
        #expect(try await fixture.count(Animal.self) == 360)
        #expect(try await fixture.totalsMatch())
        try await fixture.insert(Animal(name: "afterwards"))
        #expect(try await fixture.count(Animal.self) == 361)
        #expect(fatal.value == 0)
        await fixture.store.close()
    }

    @Test(
        "A repair replaces a damaged stored schema with the program's schema if the tables match",
        arguments: ["substr(value, 1, 30) || char(0, 0)", "CAST(X'41FFFE' AS TEXT)", "7"])
    func tornSchema(value: String) async throws {
        let sound = try await Self.sound()
        let directory = try sound.damaged(2) { _ in }
        let path = try DataDirectory(path: directory.path)
        let file = try StoreEngines.standard.openWriter(path)
        try file.run("UPDATE aviary_meta SET value = \(value) WHERE key = 'schema'")
        file.close()
        await #expect(throws: StoreOpenError.damagedSchema(path: path.storePath)) { try await sound.open(directory) }
        let other = try Schema([LeafPage.schema])
        #expect(throws: StoreOpenError.damagedSchemaOfOtherProgram(path: path.storePath)) {
            try StoreRepair(of: path, schema: other, sortIndexes: []).run(isDry: true, at: Date())
        }
        let report = try sound.repair(directory)
        #expect(report.records["Animal"] == 360 && report.lost.isEmpty)
        #expect(report.notes.contains { $0.contains("this program's were taken") })
        let fixture = try await sound.open(directory)
        try await fixture.insert(Animal(name: "afterwards"))
        #expect(try await fixture.dataProblems() == [])
        await fixture.store.close()
    }

    @Test("A repair rebuilds lost commits from their entries, and the commits can be undone")
    func commits() async throws {
        let sound = try await Self.sound()
        let page = try #require(sound.pages(of: "aviary_commit").first)
        let directory = try sound.damaged(page, SoundStore.zero)
        let report = try sound.repair(directory)
        #expect(report.notes.contains { $0.contains("were rebuilt from their entries") })
        let fixture = try await sound.open(directory)
        #expect(try await fixture.dataProblems() == [])
        let commits = try await fixture.history.commits(HistoryQuery(limit: 100))
        #expect(commits.contains { $0.author == HistoryRepair.author })
        // The commit contains the links of the books and nothing else.
        try await fixture.undo(try #require(commits.map(\.number).max()))
        #expect(try await fixture.dataProblems() == [])
        await fixture.store.close()
    }

    @Test("A commit whose entries are lost cannot be undone after a repair")
    func entries() async throws {
        let sound = try await Self.sound()
        let directory = try sound.damaged(2) { _ in }
        let file = try StoreEngines.standard.openWriter(try DataDirectory(path: directory.path))
        try file.run("DELETE FROM aviary_change WHERE number BETWEEN 30 AND 35")
        file.close()
        _ = try sound.repair(directory)
        let fixture = try await sound.open(directory)
        #expect(try await fixture.dataProblems() == [])
        await #expect(throws: StoreError.undoRefused(commit: 2, [.beforeMigration])) { try await fixture.undo(2) }
        await fixture.store.close()
    }

    @Test("A repair recovers records of a damaged table from the history, and a dry run changes nothing")
    func recovery() async throws {
        let sound = try await Self.sound()
        let page = try #require(sound.pages(of: "Animal").last)
        let directory = try sound.damaged(page, SoundStore.zero)
        let path = directory.path + "/store.sqlite"
        let before = FileManager.default.contents(atPath: path)
        let dry = try sound.repair(directory, isDry: true)
        #expect(dry.recovered["Animal"]?.isEmpty == false)
        #expect(dry.isComplete)
        #expect(FileManager.default.contents(atPath: path) == before)
        let report = try sound.repair(directory)
        #expect(report.records["Animal"] == 360)
        let copy = try #require(report.copy)
        #expect(FileManager.default.contents(atPath: copy) == before)
        let fixture = try await sound.open(directory)
        #expect(try await fixture.count(Animal.self) == 360)
        await fixture.store.close()
    }

    @Test("A repair keeps receipts, discarded drafts and the history, and corrects wrong totals")
    func kept() async throws {
        let sound = try await Self.sound()
        let directory = try sound.damaged(2) { _ in }
        let saved = ChangeSet(Animal(name: "Okapi").insertion), discarded = UUID.version7()
        let first = try await sound.open(directory)
        let receipt = try await first.store.submit(saved)
        try await first.store.discard(draft: discarded)
        try await first.store.configure { try $0.run("UPDATE aviary_total SET records = 7 WHERE model = 'Animal'") }
        let history = try await first.history.commits(HistoryQuery(limit: 100)).map(\.changeSet)
        await first.store.close()
        first.readers.close()
        #expect(try sound.repair(directory).isComplete)
        let second = try await sound.open(directory)
        #expect(try await second.count(Animal.self) == 361)
        #expect(
            try await second.store.submit(saved) == Receipt(changeSet: saved.id, commit: receipt.commit, isRepeat: true)
        )
        #expect(await second.refusal(Animal(name: "ghost").insertion, id: discarded) == .alreadyDiscarded)
        #expect(try await second.history.commits(HistoryQuery(limit: 100)).map(\.changeSet) == history)
        try await second.undo(receipt.commit)
        #expect(try await second.count(Animal.self) == 360)
        await second.store.close()
    }
}

extension StoreFixture {
    fileprivate func dataProblems() async throws -> [String] {
        try await DataCheck(data: directory.path, schema: schema, history: HistoryPolicy()).run().problems
    }

    /// Returns the identifiers of the model's records, read from the table itself.
    func contents(of model: String) async throws -> Set<UUID> {
        Set(
            try readers.read { try $0.rows("SELECT id FROM \"\(model)\" NOT INDEXED") { $0.uuid(0) } }.compactMap(
                \.self))
    }
}
