import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import AviaryData

@Suite("History")
struct HistoryTests {
    @Test("A commit records its author, its time and the changes of each record")
    func insertion() async throws {
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let fixture = try StoreFixture(.lists(), now: { time })
        let animal = Animal(name: "Okapi")
        let changeSet = ChangeSet(author: "ada", changes: [animal.insertion])
        let receipt = try await fixture.store.submit(changeSet)
        #expect(
            try await fixture.history.commits(HistoryQuery()) == [
                CommitSummary(
                    number: receipt.commit, changeSet: changeSet.id, author: "ada", time: time, changes: 1, undoes: nil)
            ])
        let change = try #require(try await fixture.changes(of: receipt).first)
        #expect(change.kind == .insert && change.model == "Animal" && change.record == animal.id.uuid)
        #expect(change.fields == animal.fieldValues.mapValues { FieldChange(before: .null, after: $0) })
    }

    @Test("An update records only the changed fields, before and after")
    func update() async throws {
        let fixture = try StoreFixture.lists()
        var animal = Animal(name: "Okapi", note: "shy")
        let version = try await fixture.insert(animal).commit
        animal.name = "Okapia"
        let receipt = try await fixture.submit(animal.update(from: version))
        let change = try #require(try await fixture.changes(of: receipt).first)
        #expect(change.kind == .update)
        #expect(change.fields == ["name": FieldChange(before: .text("Okapi"), after: .text("Okapia"))])
    }

    @Test("An update without a difference adds no entry to the history")
    func nothingChanged() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi")
        let version = try await fixture.insert(animal).commit
        let receipt = try await fixture.submit(animal.update(from: version))
        #expect(receipt.commit == version + 1)
        #expect(try await fixture.find(animal)?.version == version)
        #expect(try await fixture.history.commits(HistoryQuery(record: animal.id.uuid)).map(\.number) == [version])
    }

    @Test("A delete records every record that its rules deleted or changed")
    func cascade() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone(), cage = Cage(in: zone), keeper = Keeper()
        let bird = Bird(in: cage, keeper: keeper), other = Bird(keeper: keeper)
        try await fixture.insert(zone, cage, keeper, bird, other)
        let receipt = try await fixture.submit(zone.deletion, keeper.deletion)
        let changes = try await fixture.changes(of: receipt)
        let gone = Set(changes.filter { $0.kind == .delete }.map(\.record))
        #expect(gone == [zone.id.uuid, cage.id.uuid, keeper.id.uuid, bird.id.uuid])
        let nullified = try #require(changes.first { $0.kind == .update })
        #expect(nullified.record == other.id.uuid)
        #expect(
            nullified.fields == [
                "keeper": FieldChange(before: .text(keeper.id.uuid.canonicalText), after: .null)
            ])
    }

    @Test("The history returns every stored value unchanged")
    func values() async throws {
        let fixture = try StoreFixture.lists()
        let names = ["\"quoted\"\n\\ \u{1}", "e\u{301} is not \u{e9}", "🦓", "null", "1", "[1]", ""]
        let numbers = [0, -0.0, 1, 1e300, -5e-324, 0.1, 3]
        for (name, number) in zip(names, numbers) {
            let animal = Animal(name: name.isEmpty ? "x" : name, legs: Int.max, weight: number, note: name)
            let receipt = try await fixture.insert(animal)
            let fields = try #require(try await fixture.changes(of: receipt).first).fields
            #expect(fields.mapValues(\.after) == animal.fieldValues)
        }
    }

    @Test("A rejected change set leaves no trace in the history")
    func refused() async throws {
        let fixture = try StoreFixture.rules()
        let bird = Bird()
        try await fixture.insert(bird, Permit(for: bird))
        let results = try await fixture.submitTogether([
            ChangeSet(Zone().insertion, bird.deletion), ChangeSet(Zone().insertion),
            ChangeSet(Cage(in: Zone()).insertion), ChangeSet(Zone().insertion, Cage(in: Zone()).insertion),
        ])
        #expect(results.values.flatMap { $0 }.filter(\.isSuccess).count == 1)
        #expect(try await fixture.history.commits(HistoryQuery()).map(\.changes) == [1, 2])
        #expect(try fixture.replayMatches())
    }

    @Test("Replaying the history yields the stored records after random change sets", arguments: [1, 2, 3] as [UInt64])
    func replay(seed: UInt64) async throws {
        let fixture = try StoreFixture.rules()
        var random = RandomHistory(seed: seed)
        for _ in 0..<40 { _ = try await fixture.submitTogether(random.nextChangeSets()) }
        #expect(try fixture.replayMatches())
    }

    @Test("A model without history still has receipts")
    func switchedOff() async throws {
        let fixture = try StoreFixture(.rules(), history: HistoryPolicy().excluding(Zone.self))
        let zone = Zone(), keeper = Keeper()
        let insertion = ChangeSet(zone.insertion)
        _ = try await fixture.store.submit(insertion)
        try await fixture.submit(keeper.insertion, Zone().insertion)
        let commits = try await fixture.history.commits(HistoryQuery())
        #expect(commits.map(\.changes) == [1])
        #expect(try await fixture.history.commits(HistoryQuery(models: ["Zone"])).isEmpty)
        #expect(try await fixture.store.submit(insertion).isRepeat)
        #expect(await fixture.undoRefusal(of: 1) == [.notInHistory])
    }
}
