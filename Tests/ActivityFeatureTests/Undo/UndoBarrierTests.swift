import AviaryData
import AviaryDesign
import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("Steps from before a migration that rewrote values")
struct UndoBarrierTests {
    private let reason = "Can’t be undone: the application has changed since, and the old values no longer fit."
    private let series = ChangeSetSeries(.version7(at: ActivityFixture.start))
    private let kea = Animal(name: "Kea")

    private func history(_ fixture: ActivityFixture, until barrier: Int64) -> MigratedHistory {
        MigratedHistory(base: fixture.history, barrier: barrier)
    }

    private func button(_ commit: Int64) -> String { #"action="/admin/undo/\#(commit)""# }

    @Test("The list offers no undo of such a step and says why, but of a later one")
    func list() async throws {
        let fixture = try ActivityFixture()
        let first = try await fixture.submit(.insert(kea))
        let second = try await fixture.update(kea, ["diet": .text("carnivorous")])
        let page = ActivityView(
            model: try await fixture.activity(history: history(fixture, until: first)), csrf: "token")
        #expect(page.html.contains(button(second)) && !page.html.contains(button(first)))
        #expect(page.words.ranges(of: reason).count == 1)
        #expect(try await fixture.page().html.contains(button(first)))
        #expect(try await !fixture.page().words.contains(reason))
    }

    @Test("The page of such a step and the history of its record say why, too")
    func pages() async throws {
        let fixture = try ActivityFixture()
        let first = try await fixture.submit(.insert(kea))
        for (barrier, isOffered) in [(first, false), (first - 1, true)] {
            let history = history(fixture, until: barrier)
            let commit = try await CommitViewModel(first, after: nil, scope: fixture.scope(), history: history)
            let record = try await fixture.recordHistory(kea, history: history)
            let pages: [any Component] = [
                CommitView(model: commit, csrf: "t"), RecordHistoryView(model: record, csrf: "t"),
            ]
            for page in pages {
                #expect(page.html.contains(button(first)) == isOffered)
                #expect(page.words.contains(reason) == !isOffered)
            }
        }
    }

    @Test("Who must not undo the step, and who sees that it is undone, reads no reason")
    func noReason() async throws {
        let fixture = try ActivityFixture()
        let first = try await fixture.submit(.insert(kea))
        let viewer = Role("viewer", .allowEverywhere(.view), .task(.activity))
        let forViewer = try await fixture.activity("", viewer, history: history(fixture, until: first))
        #expect(!ActivityView(model: forViewer, csrf: "").words.contains(reason))
        let undo = try await UndoViewModel(commit: first, scope: fixture.scope(), history: fixture.history).undo()
        guard case .undone(let second, _) = undo else {
            Issue.record("\(undo)")
            return
        }
        let page = ActivityView(
            model: try await fixture.activity(history: history(fixture, until: second)), csrf: "")
        #expect(page.words.ranges(of: reason).count == 1, "the undo itself, and not the step that it undid")
    }

    @Test("A series with such a step is not offered as a whole, and a result offers no undo")
    func seriesOfSteps() async throws {
        let fixture = try ActivityFixture()
        var commits: [Int64] = []
        for name in ["Kea", "Kaka"] {
            let part = ChangeSet(
                id: series.changeSet([.version7()]), author: "ada", changes: [.insert(Animal(name: name))])
            commits.append(try await fixture.store.submit(part).commit)
        }
        for (barrier, isPossible) in [(commits[0] - 1, true), (commits[0], false)] {
            let history = history(fixture, until: barrier)
            let run = BatchUndoRun(series, scope: fixture.scope(), history: history, isGood: { true })
            #expect(try await run.state(of: 2) == (isPossible ? .possible(from: commits[1]) : .impossible))
            let summary = try #require(try await fixture.history.commit(commits[0]))
            let result = try await CommitResult(of: summary, in: fixture.scope(), history: history)
            #expect(result.canUndo == isPossible)
        }
    }

    @Test("The entry of an import with such a step has no button and says why")
    func importEntry() async throws {
        let fixture = try ActivityFixture()
        var event = AuditEvent(
            .recordImport, at: ActivityFixture.start, account: "ada", subject: "Animal birds.csv")
        event.id = RecordID(series.id)
        try await fixture.submit(.insert(event))
        var commits: [Int64] = []
        for name in ["Kea", "Kaka"] {
            let part = ChangeSet(
                id: series.changeSet([.version7()]), author: "ada", changes: [.insert(Animal(name: name))])
            commits.append(try await fixture.store.submit(part).commit)
        }
        for (barrier, isOffered) in [(commits[0] - 1, true), (commits[0], false)] {
            var model = try ActivityViewModel(
                query: ActivityQuery(), scope: fixture.scope(), policy: fixture.policy,
                history: history(fixture, until: barrier), at: fixture.now,
                imports: { [accounts = fixture.accounts] in try await accounts.imports(in: $0) })
            await model.load()
            let page = ActivityView(model: model, csrf: "token")
            #expect(page.html.contains("Undo all") == isOffered)
            #expect(page.words.contains(reason) == !isOffered)
        }
    }
}
