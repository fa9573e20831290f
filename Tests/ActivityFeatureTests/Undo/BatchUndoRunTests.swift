import AviaryData
import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import ActivityFeature

@Suite("Undoing a batch")
struct BatchUndoRunTests {
    private let series = ChangeSetSeries(.version7(at: ActivityFixture.start))

    private func undo(_ fixture: ActivityFixture, _ role: Role = .admin, as name: String = "ada") -> BatchUndoRun {
        BatchUndoRun(series, scope: fixture.scope(role, as: name), history: fixture.history, isGood: { true })
    }

    /// Changes each animal in a separate commit of the series, followed by a commit that does not belong to it.
    private func changeAll(_ animals: [Animal], in fixture: ActivityFixture) async throws -> [Int64] {
        var commits: [Int64] = []
        for animal in animals {
            let version = try await fixture.find(animal)?.version ?? 0
            let update = Change.update(
                model: "Animal", id: animal.id.uuid, version: version, values: ["diet": .text("carnivorous")])
            let part = ChangeSet(id: series.changeSet([animal.id.uuid]), author: "ada", changes: [update])
            commits.append(try await fixture.store.submit(part).commit)
            try await fixture.submit(.insert(Animal(name: "Beside \(commits.count)")))
        }
        return commits
    }

    private func added(_ names: String..., in fixture: ActivityFixture) async throws -> [Animal] {
        let animals = names.map { Animal(name: $0) }
        try await fixture.submit(animals.map { .insert($0) })
        return animals
    }

    @Test("Undo reverts exactly the commits of the batch, and is idempotent")
    func all() async throws {
        let fixture = try ActivityFixture()
        let animals = try await added("Kea", "Kaka", "Kakapo", in: fixture)
        let commits = try await changeAll(animals, in: fixture)
        #expect(try await undo(fixture).beginning(of: 3) == commits.last)
        let step = try await undo(fixture).steps(from: try #require(commits.last))
        #expect(step == BatchUndoStep(done: 3))
        #expect(try await undo(fixture).steps(from: try #require(commits.last)) == step)
        for animal in animals {
            #expect(try await fixture.find(animal)?.value("diet", in: Animal.schema) == .text("herbivorous"))
        }
        let undone = try await fixture.activity().stories?.compactMap(\.commit.undoes)
        #expect(undone == commits, "the newest is taken back first, and told last")
        #expect(try await undo(fixture).state(of: 3) == .done)
        #expect(try await undo(fixture).beginning(of: 3) == nil)
        #expect(try await fixture.records(Animal.schema).count() == 6)
    }

    @Test("Undo stops before the next commit if the account is no longer valid")
    func ended() async throws {
        let fixture = try ActivityFixture()
        let commits = try await changeAll(try await added("Kea", "Kaka", in: fixture), in: fixture)
        let asked = Mutex(0)
        let undo = BatchUndoRun(
            series, scope: fixture.scope(.admin, as: "ada"), history: fixture.history,
            isGood: {
                asked.withLock { count in
                    count += 1
                    return count < 2
                }
            })
        let step = try await undo.steps(from: try #require(commits.last))
        #expect(step.done == 1 && step.next == commits.first && !step.isTemporary)
        #expect(step.obstacles == [UndoObstacleText(AccountEndedError().description)])
    }

    @Test("Undo stops at a newer change and links to it")
    func obstacle() async throws {
        let fixture = try ActivityFixture()
        let animals = try await added("Kea", "Kaka", in: fixture)
        let commits = try await changeAll(animals, in: fixture)
        let newer = try await fixture.update(animals[0], ["diet": .text("herbivorous")], by: "bob")
        let step = try await undo(fixture).steps(from: try #require(commits.last))
        #expect(step.done == 1 && step.next == commits.first && step.isRefused && !step.isTemporary)
        #expect(try await undo(fixture).beginning(of: 2) == commits.last, "a part is still to be taken back")
        let view = BatchUndoView(step: step, series: series, csrf: "token", backHref: "/admin/animals")
        #expect(view.words.contains("Undid 1 step so far."))
        #expect(view.words.contains("newer changes are never overwritten. Diet of “Kea” has been changed since then."))
        #expect(view.html.contains(#"<a href="/admin/activity/\#(newer)">"#))
        #expect(view.html.contains(#"name="done" value="1""#))
        #expect(try await fixture.find(animals[0])?.value("diet", in: Animal.schema) == .text("herbivorous"))
    }

    @Test("Undo is offered for a complete history to the author who has the permission")
    func offered() async throws {
        let fixture = try ActivityFixture()
        let animals = try await added("Kea", "Kaka", in: fixture)
        _ = try await changeAll(animals, in: fixture)
        #expect(try await undo(fixture).beginning(of: 2) != nil)
        #expect(try await undo(fixture).beginning(of: 3) == nil)
        #expect(try await undo(fixture, as: "bob").beginning(of: 2) == nil)
        #expect(try await undo(fixture, .viewer).beginning(of: 2) == nil)
    }

    @Test("Known undone commits are not looked up again")
    func known() async throws {
        let fixture = try ActivityFixture()
        let animals = try await added("Kea", "Kaka", in: fixture)
        let commits = try await changeAll(animals, in: fixture)
        #expect(try await undo(fixture).beginning(of: 2, undoneCommits: []) == commits.last)
        #expect(try await undo(fixture).beginning(of: 2, undoneCommits: Set(commits)) == nil)
    }
}

extension BatchUndoRun {
    /// Undoes the series in as many steps as the machine needs, because a step ends after a second.
    ///
    /// - Returns: The last step.
    func steps(from number: Int64) async throws -> BatchUndoStep {
        var step = try await step(from: number, done: 0)
        while let next = step.next, step.obstacles.isEmpty { step = try await self.step(from: next, done: step.done) }
        return step
    }
}
