import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Rejected change sets")
struct RefusalTests {
    @Test("A change with an unknown model or property is malformed")
    func unknownNames() async throws {
        let fixture = try StoreFixture.lists()
        let id = UUID.version7()
        for change: Change in [
            .insert(model: "Unicorn", id: id, values: [:]), .delete(model: "Unicorn", id: id),
            .insert(model: "Animal", id: id, values: ["horn": .integer(1)]),
            .update(model: "Animal", id: id, version: 1, values: ["id": .text("x")]),
            .update(model: "aviary_meta", id: id, version: 1, values: [:]),
        ] {
            guard await fixture.refusal(change)?.code == .malformed else {
                Issue.record("\(change) was not refused as malformed")
                continue
            }
        }
    }

    @Test("The error for an invalid value names the property and never contains the value")
    func invalidValues() async throws {
        let fixture = try StoreFixture.lists()
        var values = Animal(name: "secret").fieldValues
        values["weight"] = .real(.nan)
        values["diet"] = .text("secret")
        let error = await fixture.refusal(.insert(model: "Animal", id: .version7(), values: values))
        guard case .invalid(model: "Animal", let problems) = error?.reason else {
            Issue.record("not refused as invalid")
            return
        }
        #expect(problems.map(\.property) == ["diet", "weight"])
        #expect(!"\(try #require(error))".contains("secret"))
    }

    @Test("An insert must set every required property that has no default")
    func missingValues() async throws {
        let fixture = try StoreFixture.lists()
        let error = await fixture.refusal(.insert(model: "Animal", id: .version7(), values: ["name": .text("Okapi")]))
        guard case .invalid(model: "Animal", let problems) = error?.reason else {
            Issue.record("not refused as invalid")
            return
        }
        #expect(problems.map(\.property) == ["diet", "weight"])
    }

    @Test("An insert or update with a unique value of another record is rejected")
    func notUnique() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        var fish = Category(name: "Fish")
        let receipt = try await fixture.insert(birds, fish)
        let error = StoreError.notUnique(model: "Category", property: "name")
        #expect(await fixture.refusal(Category(name: "Birds").insertion) == error)
        fish.name = "Birds"
        #expect(await fixture.refusal(fish.update(from: receipt.commit)) == error)
        #expect(await fixture.refusal(Category(name: "New").insertion, Category(name: "New").insertion) == error)
        // Values are unique by bytes, so case and composition distinguish texts.
        try await fixture.insert(Category(name: "birds"), Category(name: "e\u{301}"), Category(name: "\u{E9}"))
        #expect(try await fixture.count(Category.self) == 5)
    }

    @Test("Two change sets of one batch cannot store the same unique value")
    func notUniqueWithinBatch() async throws {
        let fixture = try StoreFixture.lists()
        let sets = (0..<8).map { _ in ChangeSet(Category(name: "Birds").insertion) }
        let results = try await fixture.submitTogether(sets).values.joined()
        #expect(results.filter(\.isSuccess).count == 1)
        #expect(results.compactMap(\.error).allSatisfy { $0 == .notUnique(model: "Category", property: "name") })
    }

    @Test("An insert with an existing id is a conflict that contains the current record")
    func insertTwice() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(birds)
        let current = try #require(try await fixture.find(birds))
        #expect(
            await fixture.refusal(Category(id: birds.id, name: "Other").insertion)
                == .conflict(model: "Category", current: Record(id: current.id, version: 1, values: [.text("Birds")])))
    }

    @Test("An update of an outdated version is a conflict that contains the current record")
    func conflict() async throws {
        let fixture = try StoreFixture.lists()
        var birds = Category(name: "Birds")
        try await fixture.insert(birds)
        birds.name = "Aves"
        #expect(try await fixture.submit(birds.update(from: 1)).commit == 2)
        birds.name = "Vögel"
        #expect(
            await fixture.refusal(birds.update(from: 1))
                == .conflict(model: "Category", current: Record(id: birds.id.uuid, version: 2, values: [.text("Aves")]))
        )
    }

    @Test("Exactly one of several updates of the same version succeeds")
    func race() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(birds)
        let sets = (0..<20).map { ChangeSet(Category(id: birds.id, name: "\($0)").update(from: 1)) }
        let results = try await fixture.submitTogether(sets).values.joined()
        #expect(results.filter(\.isSuccess).count == 1)
    }

    @Test("An update of a missing record is rejected, and a delete succeeds")
    func notFound() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        #expect(await fixture.refusal(birds.update(from: 1)) == .notFound(model: "Category", id: birds.id.uuid))
        try await fixture.submit(birds.deletion)
        try await fixture.insert(birds)
        try await fixture.submit(birds.deletion)
        try await fixture.submit(birds.deletion)
        #expect(await fixture.refusal(birds.update(from: 2)) == .notFound(model: "Category", id: birds.id.uuid))
    }

    @Test("An update without a difference is acknowledged and keeps the version of the record")
    func unchanged() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(birds)
        #expect(try await fixture.submit(birds.update(from: 1)).commit == 2)
        let empty = Change.update(model: "Category", id: birds.id.uuid, version: 1, values: [:])
        #expect(try await fixture.submit(empty).commit == 3)
        #expect(try await fixture.find(birds)?.version == 1)
    }

    @Test("An update changes only the named properties")
    func partialUpdate() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi", legs: 4, note: "shy")
        try await fixture.insert(animal)
        let values: [String: FieldValue] = ["note": .null, "weight": .real(2.5)]
        try await fixture.submit(.update(model: "Animal", id: animal.id.uuid, version: 1, values: values))
        let record = try #require(try await fixture.find(animal))
        #expect(record.value("note", in: Animal.schema) == .null)
        #expect(record.value("weight", in: Animal.schema) == .real(2.5))
        #expect(record.value("legs", in: Animal.schema) == .integer(4))
    }

    @Test("An insert or update with a reference to a missing record is rejected")
    func missingReference() async throws {
        let fixture = try StoreFixture.lists()
        let gone = Category(name: "gone")
        let error = StoreError.missingReference(model: "Animal", property: "category")
        #expect(await fixture.refusal(Animal(name: "a", category: gone).insertion) == error)
        var animal = Animal(name: "b")
        try await fixture.insert(animal)
        animal.category = Reference(gone)
        #expect(await fixture.refusal(animal.update(from: 1)) == error)
        #expect(try await fixture.find(animal)?.version == 1)
    }

    @Test("Records of one change set may refer to each other in any order")
    func forwardReference() async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(Animal(name: "Kea", category: birds), birds)
        #expect(try await fixture.count(Animal.self) == 1)
    }

    @Test("A rejected change set stores nothing, and its id can be used again")
    func atomic() async throws {
        let fixture = try StoreFixture.lists()
        let id = UUID.version7()
        let animal = Animal(name: "Okapi")
        #expect(await fixture.refusal(animal.insertion, Animal(name: "").insertion, id: id) != nil)
        let orphan = Animal(name: "x", category: Category(name: "gone"))
        #expect(await fixture.refusal(animal.insertion, orphan.insertion, id: id) != nil)
        #expect(try await fixture.find(animal) == nil)
        #expect(try await fixture.submit(animal.insertion, id: id).commit == 1)
    }
}
