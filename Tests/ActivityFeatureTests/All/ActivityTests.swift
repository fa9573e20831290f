import AviaryData
import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("The activity page")
struct ActivityTests {
    @Test("Each entry names the author, the action and the values before and after")
    func words() async throws {
        let fixture = try ActivityFixture()
        let parrots = Category(name: "Parrots"), kea = Animal(name: "Kea")
        try await fixture.submit(.insert(parrots), .insert(kea))
        _ = try await fixture.update(
            kea, ["diet": .text("carnivorous"), "category": .text(parrots.id.uuid.canonicalText)], by: "bob")
        let words = try await fixture.page().words
        #expect(words.contains("Changed animal “Kea”"))
        #expect(words.contains("bob , just now"))
        #expect(words.contains("Diet was Herbivorous is now Carnivorous"))
        #expect(words.contains("Category was no value is now Parrots"))
        #expect(words.contains("Added 1 animal and 1 category"))
        #expect(!words.contains(parrots.id.uuid.canonicalText), "nobody knows a record by its id")
    }

    @Test("A deleted record keeps its name from the history")
    func deleted() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        let page = try await fixture.page()
        #expect(page.words.contains("Deleted animal “Kea”"))
        #expect(!page.html.contains("/admin/animals/\(kea.id.uuid.canonicalText)"), "there is no such page any more")
    }

    @Test(
        "A reference to a record deleted in the same commit shows the title of that record")
    func deletedTogether() async throws {
        let fixture = try ActivityFixture()
        let parrots = Category(name: "Parrots")
        try await fixture.submit(
            [.insert(parrots)] + (0..<9).map { .insert(Animal(name: "Kea \($0)", category: parrots)) })
        let commit = try await fixture.submit(.delete(model: "Category", id: parrots.id.uuid))
        for words in [
            try await fixture.page().words,
            CommitView(
                model: try await CommitViewModel(commit, after: nil, scope: fixture.scope(), history: fixture.history),
                csrf: ""
            ).words,
        ] {
            #expect(words.contains("Category was Parrots") && !words.contains("a deleted record"), "\(words)")
        }
        // The titles of models that are not visible are not shown.
        #expect(try await !fixture.page("", .keeper).words.contains("Parrots"))
    }

    @Test("Entries about accounts omit internal properties")
    func accounts() async throws {
        let fixture = try ActivityFixture()
        let bob = Account(name: "bob", role: "admin", passwordHash: "hash", createdAt: fixture.now)
        try await fixture.submit(.insert(bob))
        let added = try await fixture.page().words
        #expect(added.contains("Role Admin") && added.contains("Password Secret") && added.contains("Disabled No"))
        _ = try await fixture.update(bob, ["role": .text("viewer"), "epoch": .integer(2)])
        _ = try await fixture.update(bob, ["lastOneTimeStep": .integer(59_000_000)])
        let words = try await fixture.page().words
        #expect(words.contains("Role was Admin is now Viewer") && words.contains("Sessions Signed out everywhere"))
        #expect(words.contains("Two-factor authentication Used a code"))
        for word in ["Epoch", "step 0", "time step", "59,000,000", "hash"] { #expect(!words.contains(word), "\(word)") }
        let german = try await Language.german.use { try await fixture.page().words }
        #expect(german.contains("Administrator"))
    }

    @Test("An author that is not a person is shown in the language in use")
    func authors() async throws {
        let fixture = try ActivityFixture()
        try await fixture.submit(.insert(Animal(name: "Kea")), by: "command line")
        try await fixture.submit(.insert(Animal(name: "Kaka")), by: "admin")
        #expect(try await fixture.page().words.contains("command line ,"))
        try await Language.german.use {
            let page = try await fixture.page()
            #expect(page.words.contains("Kommandozeile ,") && page.words.contains("admin ,"), "a name is a name")
            #expect(page.html.contains("person=command%20line"))
        }
    }

    @Test("A secret value is never shown")
    func secrets() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea", chip: "s3cret")
        try await fixture.submit(.insert(kea))
        _ = try await fixture.update(kea, ["chip": .text("an0ther")])
        try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        let page = try await fixture.page()
        #expect(page.words.contains("Chip Changed (secret)"))
        #expect(!page.html.contains("s3cret") && !page.html.contains("an0ther"))
    }

    @Test("Records that the role cannot view are neither shown nor counted, and cannot be filtered by")
    func hidden() async throws {
        let fixture = try ActivityFixture()
        let parrots = Category(name: "Parrots")
        try await fixture.submit(.insert(parrots))
        try await fixture.submit(.insert(Category(name: "Owls")), .insert(Animal(name: "Kea", category: parrots)))
        let page = try await fixture.page("", .keeper)
        #expect(page.words.contains("Added animal “Kea”"))
        #expect(page.model.stories?.count == 1)
        for word in ["Parrots", "Owls", "ategor", "other", parrots.id.uuid.canonicalText] {
            #expect(!page.html.contains(word), "\(word)")
        }
        #expect(throws: AccessError.hidden) {
            try ActivityViewModel(
                query: ActivityQuery([FormField(name: "model", value: "categories")]), scope: fixture.scope(.keeper),
                policy: fixture.policy, history: fixture.history, at: fixture.now
            )
        }
    }

    @Test("A role without the activity permission cannot view the activity")
    func forbidden() async throws {
        let fixture = try ActivityFixture()
        for role in [Role.viewer, .worker] {
            await #expect(throws: AccessError.forbidden) { _ = try await fixture.activity("", role) }
            await #expect(throws: AccessError.forbidden) {
                _ = try await fixture.recordHistory(Animal(name: "Kea"), role)
            }
        }
    }

    @Test("Entries can be filtered by model, person and date, also combined")
    func filters() async throws {
        let fixture = try ActivityFixture()
        try await fixture.submit(.insert(Animal(name: "Kea")), by: "ada")
        try await fixture.submit(.insert(Category(name: "Parrots")), by: "bob")
        fixture.pass(86_400)
        try await fixture.submit(.insert(Animal(name: "Kaka")), by: "bob")
        func numbers(_ query: String) async throws -> [Int64]? {
            try await fixture.activity(query).stories?.map(\.commit.number)
        }
        #expect(try await numbers("") == [3, 2, 1])
        #expect(try await numbers("model=animals") == [3, 1])
        #expect(try await numbers("person=bob&model=&from=&to=") == [3, 2])
        #expect(try await numbers("person=bob&model=animals") == [3])
        #expect(try await numbers("to=2027-01-15") == [2, 1])
        #expect(try await numbers("from=2027-01-16") == [3])
        #expect(try await numbers("from=2027-01-16&to=2027-01-15") == [])
        #expect(try await fixture.page("person=nobody").words.contains("No results"))
    }

    @Test("A reversed date range shows a notice with a link that swaps the dates")
    func reversedRange() async throws {
        let page = try await ActivityFixture().page("person=ada&from=2027-01-16&to=2027-01-15")
        #expect(page.words.contains("The start (16 Jan 2027) is after the end (15 Jan 2027), so nothing matches."))
        #expect(
            page.html.contains(
                #"href="/admin/activity?person=ada&amp;from=2027-01-15&amp;to=2027-01-16">Swap</a>"#))
        #expect(page.words.matches(of: /is after the end/).count == 1, "It is told once.")
        #expect(!page.words.contains("No results"), "What the notice says needs no other words.")
        #expect(try await !ActivityFixture().page("from=2027-01-15&to=2027-01-15").words.contains("is after the end"))
    }

    @Test(
        "A malformed address is rejected",
        arguments: [
            "record=x&model=animals", "record=0189d6f0-0000-7000-8000-000000000000", "from=tomorrow", "to=2026-02-30",
            "before=x",
        ])
    func malformed(query: String) throws {
        #expect(throws: ActivityQueryError.self) { try ActivityQuery(FormEncoding.decode(query.utf8)) }
    }

    @Test("A query survives a round trip through its address")
    func addresses() throws {
        let text = "model=animals&person=a%26b&from=2026-11-01&to=2026-11-20&before=7"
        #expect(try ActivityQuery(FormEncoding.decode(text.utf8)).text == text)
    }

    @Test("Each entry is on exactly one page")
    func pages() async throws {
        let fixture = try ActivityFixture()
        for number in 0..<120 { try await fixture.submit(.insert(Animal(name: "Kea \(number)"))) }
        var found: [Int64] = [], before: Int64?
        repeat {
            let model = try await fixture.activity(before.map { "before=\($0)" } ?? "")
            found += model.stories?.map(\.commit.number) ?? []
            before = model.next
        } while before != nil
        #expect(found == (1...120).reversed())
    }

    @Test("A commit with 10,000 changes is summarized, with a paged view of its own")
    func large() async throws {
        let fixture = try ActivityFixture()
        let commit = try await fixture.submit((0..<10_000).map { .insert(Animal(name: "Kea \($0)")) })
        let page = try await fixture.page()
        #expect(page.words.contains("Added 10,000 animals"))
        #expect(page.words.contains("and 9,997 more"))
        #expect(page.html.utf8.count < 10_000)
        let model = try await CommitViewModel(commit, after: nil, scope: fixture.scope(), history: fixture.history)
        let view = CommitView(model: model, csrf: "token")
        #expect(view.words.contains("Added 10,000 animals") && view.words.contains("50 of 10,000 changes"))
        #expect(view.html.utf8.count < 60_000)
        let next = try await CommitViewModel(
            commit, after: model.next, scope: fixture.scope(), history: fixture.history)
        #expect(CommitView(model: next, csrf: "").words.contains("Kea 50 "))
    }

    /// Returns the sentence of a commit's entry in a list that counts no changes besides the first 1,000.
    private func sentence(
        _ commit: Int64, _ fixture: ActivityFixture, during longChange: LongChangeStatus? = nil
    ) async throws -> String {
        let story = try await VisibleCommit.read(
            [commit], in: fixture.scope(), history: fixture.history, countingFurther: 0, during: longChange)[commit]
        let words = try await ChangeFormatter([], in: fixture.scope(), history: fixture.history)
        return try #require(story).sentence(words)
    }

    @Test("Commits of several models have the true number of each")
    func largeOfSeveralModels() async throws {
        let fixture = try ActivityFixture()
        let commit = try await fixture.submit(
            [.insert(Category(name: "Parrots"))] + (0..<1100).map { .insert(Animal(name: "Kea \($0)")) })
        #expect(try await fixture.page().words.contains("Added 1,100 animals and 1 category"))
        #expect(try await sentence(commit, fixture) == "Added more than 1,000 records")
    }

    @Test("A number that is not counted is told as more than what was counted")
    func notCounted() async throws {
        let fixture = try ActivityFixture()
        let animals = (0..<1100).map { Animal(name: "Kea \($0)") }
        try await fixture.submit(animals.map { .insert($0) })
        let deleted = try await fixture.submit(animals.map { .delete(model: "Animal", id: $0.id.uuid) })
        #expect(try await sentence(deleted, fixture) == "Deleted more than 1,000 animals")
    }

    @Test("A delete whose history is still being written has its true number")
    func underWay() async throws {
        let fixture = try ActivityFixture()
        let animals = (0..<5).map { Animal(name: "Kea \($0)") }
        try await fixture.submit(animals.map { .insert($0) })
        let deleted = try await fixture.submit(animals.map { .delete(model: "Animal", id: $0.id.uuid) })
        let status = LongChangeStatus(
            changeSet: .version7(), author: "ada", began: fixture.now, undoes: nil, step: .completing, done: 5,
            total: 16_500, commit: deleted, records: ["Animal": 16_500])
        #expect(try await sentence(deleted, fixture, during: status) == "Deleted 16,500 animals")
    }

    @Test("The number of hidden changes is never revealed")
    func manyHidden() async throws {
        let fixture = try ActivityFixture()
        let hidden: [Change] = (0..<1100).map { .insert(Category(name: "Group \($0)")) }
        try await fixture.submit([.insert(Animal(name: "Kea"))] + hidden)
        let words = try await fixture.page("", .keeper).words
        #expect(words.contains("Added animal “Kea”"))
        for number in ["more", "1,100", "1,101", "1,000"] { #expect(!words.contains(number)) }
        try await fixture.submit(hidden.map { _ in .insert(Category(name: "x")) } + [.insert(Animal(name: "Kaka"))])
        let page = try await fixture.page("", .keeper)
        #expect(page.words.contains("Kaka"), "also what is behind all that was counted")
    }

    @Test("The page names the models without a history, and explains an empty history")
    func empty() async throws {
        let fixture = try ActivityFixture()
        try await fixture.submit(.insert(Note(text: "unrecorded")))
        let words = try await fixture.page().words
        #expect(words.contains("No activity yet"))
        #expect(words.contains("No history is kept for notes."))
        #expect(try await fixture.page("model=notes").words.contains("No history is kept for notes."))
    }

    @Test("An unreadable history shows an error with advice")
    func unreadable() async throws {
        let fixture = try ActivityFixture()
        let model = try await fixture.activity(history: BrokenHistory())
        #expect(model.stories == nil)
        #expect(ActivityView(model: model, csrf: "").words.contains("Couldn’t load the activity. Try again"))
    }

    @Test("Undo is a form, offered only to roles that can undo")
    func offers() async throws {
        let fixture = try ActivityFixture()
        try await fixture.submit(.insert(Animal(name: "Kea")))
        let html = try await fixture.page().html
        #expect(html.contains(#"<form method="post" action="/admin/undo/1">"#))
        // Red is for danger, and undoing destroys nothing.
        #expect(html.contains(#"<button class="button primary">Undo"#) && !html.contains("danger"))
        let watcher = Role("watcher", .allowEverywhere(.view), .task(.activity))
        #expect(try await !fixture.page("", watcher).html.contains("/admin/undo/"))
        #expect(try await !fixture.page().html.contains(#"href="/admin/undo/"#))
    }

    @Test("A step that is undone has a mark and no Undo, until its undo is undone")
    func undone() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        func offered() async throws -> [String] {
            try await fixture.page().html.matches(of: /action="\/admin\/undo\/(\d+)"/).map { String($0.output.1) }
        }
        #expect(try await offered() == ["1"])
        #expect(try await !fixture.page().words.contains("Undone"))
        _ = try await fixture.history.undo(Undo(commit: 1, author: "ada"))
        #expect(try await offered() == ["2"])
        #expect(try await fixture.page().words.contains("Added animal “Kea” Undone"))
        let step = CommitView(
            model: try await CommitViewModel(1, after: nil, scope: fixture.scope(), history: fixture.history), csrf: ""
        )
        #expect(!step.html.contains("/admin/undo/") && step.words.contains("Undone Yes"))
        let history = RecordHistoryView(model: try await fixture.recordHistory(kea), csrf: "").html
        #expect(!history.contains(#""/admin/undo/1""#) && history.contains(#""/admin/undo/2""#))
        _ = try await fixture.history.undo(Undo(commit: 2, author: "ada"))
        #expect(try await offered() == ["3", "1"])
    }

    @Test("Hostile text is escaped")
    func hostile() async throws {
        let fixture = try ActivityFixture()
        let evil = "\"><script>alert(1)</script>'"
        let kea = Animal(name: evil)
        try await fixture.submit([.insert(kea)], by: evil)
        _ = try await fixture.update(kea, ["name": .text(evil + evil)], by: evil)
        let pages = [
            try await fixture.page().html,
            RecordHistoryView(model: try await fixture.recordHistory(kea), csrf: "").html,
            CommitView(
                model: try await CommitViewModel(2, after: nil, scope: fixture.scope(), history: fixture.history),
                csrf: ""
            ).html,
        ]
        for page in pages { #expect(!page.contains("<script>") && page.contains("&lt;script&gt;")) }
    }

    @Test("Two long texts are cut to the part where they differ")
    func longTexts() {
        let start = String(repeating: "a", count: 500)
        let (before, after) = ValueFormatter.differing(start + "x" + start, start + "y" + start)
        #expect(before.contains("x") && after.contains("y"))
        #expect(before.hasPrefix("…") && before.hasSuffix("…") && before.count < 300)
        #expect(ValueFormatter.differing("a", "b") == ("a", "b"))
    }
}
