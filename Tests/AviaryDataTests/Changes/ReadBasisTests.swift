import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Change sets that rely on reads")
struct ReadBasisTests {
    /// Returns the error of an insert that relies on reads of models.
    private func refusal(
        of store: StoreFixture, basedOn models: Set<String>, at commit: Int64, inserting model: any Model = Keeper()
    ) async -> StoreError? {
        do throws(StoreError) {
            _ = try await store.store.submit(
                ChangeSet(
                    id: .version7(), author: "test", changes: [model.anyInsertion], cascadeLimit: nil, asked: nil,
                    basis: ReadBasis(commit: commit, models: models)))
            return nil
        } catch {
            return error
        }
    }

    @Test("A change set is stored if none of the models has changed since they were read")
    func current() async throws {
        let fixture = try StoreFixture.rules()
        let commit = try await fixture.insert(Zone()).commit
        #expect(await refusal(of: fixture, basedOn: ["Zone", "Keeper"], at: commit) == nil)
        // Its own commit changed Keeper.
        #expect(await refusal(of: fixture, basedOn: ["Zone"], at: commit) == nil)
        #expect(await refusal(of: fixture, basedOn: ["Keeper"], at: commit) == .overtaken)
    }

    @Test("A rejected change set stores nothing, and the same id is stored with a new basis")
    func repetition() async throws {
        let fixture = try StoreFixture.rules()
        let commit = try await fixture.insert(Zone()).commit
        let newest = try await fixture.insert(Zone()).commit
        let keeper = Keeper(), id = UUID.version7()
        func changeSet(_ commit: Int64) -> ChangeSet {
            ChangeSet(
                id: id, author: "test", changes: [keeper.anyInsertion], cascadeLimit: nil, asked: nil,
                basis: ReadBasis(commit: commit, models: ["Zone"]))
        }
        await #expect(throws: StoreError.overtaken) { try await fixture.store.submit(changeSet(commit)) }
        #expect(try await fixture.count(Keeper.self) == 0)
        #expect(try await fixture.store.submit(changeSet(newest)).isRepeat == false)
        // A repetition gets the receipt, whatever has changed since.
        _ = try await fixture.insert(Zone())
        #expect(try await fixture.store.submit(changeSet(commit)).isRepeat)
    }

    @Test("Of change sets with the same basis that arrive together, one is stored")
    func together() async throws {
        let fixture = try StoreFixture.rules()
        let commit = try await fixture.insert(Zone()).commit
        let stored = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await refusal(of: fixture, basedOn: ["Zone"], at: commit, inserting: Zone()) == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(stored == 1)
        #expect(try await fixture.count(Zone.self) == 2)
    }

    @Test("Deletes count as changes of every model that their delete rules change, with and without a history")
    func cascades() async throws {
        for history in [HistoryPolicy(), HistoryPolicy().excluding(Cage.self).excluding(Bird.self)] {
            let fixture = try StoreFixture(.rules(), history: history)
            let zone = Zone(), cage = Cage(in: zone)
            try await fixture.insert(zone, cage, Bird(in: cage))
            let before = try await fixture.insert(Keeper()).commit
            try await fixture.submit(zone.deletion)
            for model in ["Zone", "Cage", "Bird"] {
                #expect(await refusal(of: fixture, basedOn: [model], at: before) == .overtaken, "\(model)")
            }
            #expect(await refusal(of: fixture, basedOn: ["Permit"], at: before) == nil)
        }
    }

    @Test("A link counts as a change of both models")
    func links() async throws {
        let fixture = try StoreFixture.links()
        let book = Book(), author = Author()
        try await fixture.insert(book, author)
        let before = try await fixture.insert(Person()).commit
        try await fixture.submit(
            .link(model: "Book", property: "authors", id: book.id.uuid, target: author.id.uuid))
        for model in ["Book", "Author"] {
            #expect(
                await refusal(of: fixture, basedOn: [model], at: before, inserting: Chapter(of: book)) == .overtaken)
        }
        #expect(await refusal(of: fixture, basedOn: ["Person"], at: before, inserting: Chapter(of: book)) == nil)
    }

    @Test("An undo counts as a change")
    func undo() async throws {
        let fixture = try StoreFixture.rules()
        let commit = try await fixture.insert(Zone()).commit
        let before = try await fixture.insert(Keeper()).commit
        try await fixture.undo(commit)
        #expect(await refusal(of: fixture, basedOn: ["Zone"], at: before) == .overtaken)
    }

    @Test("After a start, a change set is stored if its basis is the newest commit")
    func restart() async throws {
        let fixture = try StoreFixture.rules()
        let before = try await fixture.insert(Zone()).commit
        let newest = try await fixture.insert(Keeper()).commit
        await fixture.store.close()
        let again = try StoreFixture(.rules(), in: fixture.temporary)
        #expect(await refusal(of: again, basedOn: ["Zone"], at: before) == .overtaken)
        #expect(await refusal(of: again, basedOn: ["Zone"], at: newest) == nil)
    }

    @Test("Readers know the newest commit")
    func newest() async throws {
        let fixture = try StoreFixture.rules()
        let commit = try await fixture.insert(Zone()).commit
        #expect(try fixture.readers.newestCommit() == commit)
    }

    @Test("The store forgets what it knew of a transaction that was lost")
    func lastModelCommits() {
        var lastModelCommits = LastModelCommits()
        func isCurrent(_ commit: Int64, at position: Int64) -> Bool {
            lastModelCommits.isCurrent(ReadBasis(commit: commit, models: ["Zone"]), at: position)
        }
        lastModelCommits.note(["Keeper"], changedBy: 11)
        #expect(isCurrent(10, at: 11))
        lastModelCommits.note(["Zone"], changedBy: 12)
        #expect(!isCurrent(11, at: 12))
        // The transaction with 12 is lost, and another change of which the store is not told has this number.
        lastModelCommits.forget()
        #expect(isCurrent(11, at: 11))
        lastModelCommits.forget()
        #expect(!isCurrent(11, at: 12))
        #expect(isCurrent(12, at: 12))
        // A restore or a long change has moved the position.
        #expect(!isCurrent(12, at: 20))
    }
}
