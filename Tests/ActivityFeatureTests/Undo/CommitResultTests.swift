import AviaryData
import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("Summaries of a commit")
struct CommitResultTests {
    private func sentence(_ commit: Int64, _ fixture: ActivityFixture, _ role: Role = .admin) async throws -> String? {
        try await result(commit, fixture, role).sentence
    }

    private func result(_ number: Int64, _ fixture: ActivityFixture, _ role: Role = .admin) async throws -> CommitResult
    {
        let commit = try #require(try await fixture.history.commit(number))
        return try await CommitResult(of: commit, in: fixture.scope(role), history: fixture.history)
    }

    private func undo(_ commit: Int64, _ fixture: ActivityFixture) async throws -> Int64 {
        let outcome = try await UndoViewModel(commit: commit, scope: fixture.scope(), history: fixture.history).undo()
        guard case .undone(let commit, _) = outcome else { throw Refused(outcome: outcome) }
        return commit
    }

    private struct Refused: Error { let outcome: UndoOutcome }

    @Test("A single record is named, even after an undo and a redo")
    func single() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        let added = try await fixture.submit(.insert(kea))
        #expect(try await sentence(added, fixture) == "Added “Kea”")
        let deleted = try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        #expect(try await sentence(deleted, fixture) == "Deleted “Kea”")
        let undone = try await undo(deleted, fixture)
        #expect(try await sentence(undone, fixture) == "Restored “Kea”")
        let redone = try await undo(undone, fixture)
        #expect(try await sentence(redone, fixture) == "Deleted “Kea” again")
    }

    @Test("A change, its undo and its redo have their own summaries")
    func changed() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let changed = try await fixture.update(kea, ["name": .text("Kaka")])
        #expect(try await sentence(changed, fixture) == "Changed “Kaka”")
        let undone = try await undo(changed, fixture)
        #expect(try await sentence(undone, fixture) == "Undid the changes to “Kea”")
        #expect(try await sentence(try await undo(undone, fixture), fixture) == "Changed “Kaka” again")
    }

    @Test("Several records of a model are counted")
    func many() async throws {
        let fixture = try ActivityFixture()
        for count in [2, 50] {
            let animals = (0..<count).map { Animal(name: "Kea \(count) \($0)") }
            try await fixture.submit(animals.map { .insert($0) })
            let deleted = try await fixture.submit(animals.map { .delete(model: "Animal", id: $0.id.uuid) })
            #expect(try await sentence(deleted, fixture) == "Deleted \(count) animals")
            #expect(try await sentence(try await undo(deleted, fixture), fixture) == "Restored \(count) animals")
        }
    }

    @Test("The summary includes cascaded deletions, but not hidden records")
    func along() async throws {
        let fixture = try ActivityFixture()
        let parrots = Category(name: "Parrots")
        try await fixture.submit(
            .insert(parrots), .insert(Animal(name: "Kea", category: parrots)),
            .insert(Animal(name: "Kaka", category: parrots)))
        let deleted = try await fixture.submit(.delete(model: "Category", id: parrots.id.uuid))
        #expect(try await sentence(deleted, fixture) == "Deleted 2 animals and “Parrots”")
        #expect(try await sentence(deleted, fixture, .keeper) == "Deleted 2 animals")
        #expect(try await result(deleted, fixture).canUndo)
        #expect(try await !result(deleted, fixture, .keeper).canUndo, "a part of it may not be seen")
    }

    private func status(_ commit: Int64, undoes: Int64? = nil, records: [String: Int] = [:]) -> LongChangeStatus {
        LongChangeStatus(
            changeSet: .version7(), author: "ada", began: ActivityFixture.start, undoes: undoes, step: .completing,
            done: 30, total: 16_500, commit: commit, records: records)
    }

    @Test("While the history of a large delete is written, the summary has the numbers of the change itself")
    func deleteUnderWay() async throws {
        let fixture = try ActivityFixture()
        let animals = (0..<30).map { Animal(name: "Kea \($0)") }
        try await fixture.submit(animals.map { .insert($0) })
        // The history has these 30 of the records by now.
        let deleted = try await fixture.submit(animals.map { .delete(model: "Animal", id: $0.id.uuid) })
        let commit = try #require(try await fixture.history.commit(deleted))
        func sentence(_ status: LongChangeStatus?) async throws -> String? {
            try await CommitResult(of: commit, in: fixture.scope(), history: fixture.history, during: status).sentence
        }
        #expect(try await sentence(status(deleted, records: ["Animal": 16_500])) == "Deleted 16,500 animals")
        #expect(try await sentence(status(deleted + 1, records: ["Animal": 16_500])) == "Deleted 30 animals")
        #expect(try await sentence(nil) == "Deleted 30 animals")
    }

    @Test("While the history of a large undo is written, the summary has the numbers of what it undoes")
    func undoUnderWay() async throws {
        let fixture = try ActivityFixture()
        let animals = (0..<50).map { Animal(name: "Kea \($0)") }
        try await fixture.submit(animals.map { .insert($0) })
        let deleted = try await fixture.submit(animals.map { .delete(model: "Animal", id: $0.id.uuid) })
        // The history has one record of the undo by now.
        let part = try await fixture.submit(.insert(animals[0]))
        let commit = CommitSummary(
            number: part, changeSet: .version7(), author: "ada", time: fixture.now, changes: 1, undoes: deleted)
        let result = try await CommitResult(
            of: commit, in: fixture.scope(), history: fixture.history, during: status(part, undoes: deleted))
        #expect(result.sentence == "Restored 50 animals")
    }

    @Test("The permission to undo a large delete is that of all its records, also while its history is written")
    func permissionUnderWay() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let deleted = try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        let commit = try #require(try await fixture.history.commit(deleted))
        func canUndo(_ status: LongChangeStatus?) async throws -> Bool {
            try await CommitResult(of: commit, in: fixture.scope(.keeper), history: fixture.history, during: status)
                .canUndo
        }
        #expect(try await canUndo(status(deleted, records: ["Animal": 1])))
        #expect(try await !canUndo(status(deleted, records: ["Animal": 1, "Category": 4])))
    }
}
