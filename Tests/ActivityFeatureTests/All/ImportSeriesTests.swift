import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("Imports in the activity")
struct ImportSeriesTests {
    private let series = ChangeSetSeries(.version7(at: ActivityFixture.start))

    /// Adds the event of an import of a file, and an animal for each name with a commit of its own.
    private func importAnimals(_ names: [String], in fixture: ActivityFixture) async throws {
        var event = AuditEvent(
            .recordImport, at: ActivityFixture.start, account: "ada", subject: "Animal flights of birds.csv")
        event.id = RecordID(series.id)
        try await fixture.submit(.insert(event))
        for name in names {
            let animal = Animal(name: name)
            let part = ChangeSet(id: series.changeSet([animal.id.uuid]), author: "ada", changes: [.insert(animal)])
            _ = try await fixture.store.submit(part)
        }
    }

    private func activity(_ fixture: ActivityFixture, _ query: String = "") async throws -> ActivityViewModel {
        var model = try ActivityViewModel(
            query: try ActivityQuery(FormEncoding.decode(query.utf8)), scope: fixture.scope(), policy: fixture.policy,
            history: fixture.history, at: fixture.now,
            imports: { [accounts = fixture.accounts] in try await accounts.imports(in: $0) }
        )
        await model.load()
        return model
    }

    @Test("An import of several commits is one entry that is named after its file")
    func oneEntry() async throws {
        let fixture = try ActivityFixture()
        try await fixture.submit(.insert(Animal(name: "Before")))
        try await importAnimals(["Kea", "Kaka", "Kakapo"], in: fixture)
        try await fixture.submit(.insert(Animal(name: "After")))
        let model = try await activity(fixture)
        let stories = try #require(model.stories)
        #expect(stories.count == 3)
        let entry = try #require(stories[1].series)
        #expect(entry.commits.count == 3 && !entry.isUndo && !entry.isUndone)
        #expect(entry.event.importedFile?.file == "flights of birds.csv")
        #expect(ActivityView(model: model, csrf: "token").words.contains("flights of birds.csv"))
    }

    @Test("An import whose commits are all undone is marked, and its undo is one entry")
    func undone() async throws {
        let fixture = try ActivityFixture()
        try await importAnimals(["Kea", "Kaka"], in: fixture)
        let newest = try #require(try await activity(fixture).stories?.first?.commit.number)
        let undo = BatchUndoRun(
            series, scope: fixture.scope(as: "bo"), history: fixture.history, author: "ada", isGood: { true })
        #expect(try await undo.steps(from: newest) == BatchUndoStep(done: 2))
        let stories = try #require(try await activity(fixture).stories)
        #expect(stories.map { $0.series?.isUndo } == [true, false])
        #expect(stories.last?.series?.isUndone == true)
    }

    @Test("A later page does not show an import again that an earlier page showed")
    func laterPage() async throws {
        let fixture = try ActivityFixture()
        try await importAnimals(["Kea", "Kaka"], in: fixture)
        let stories = try await activity(fixture, "series=\(series.id.canonicalText)").stories
        #expect(stories?.isEmpty == true)
    }
}
