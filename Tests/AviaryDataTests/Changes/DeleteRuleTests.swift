import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Delete rules")
struct DeleteRuleTests {
    @Test("A cascade deletes dependent records at any depth")
    func cascade() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone()
        let other = Cage(in: Zone())
        let cage = Cage(in: zone)
        let bird = Bird(in: cage)
        let bystander = Bird()
        try await fixture.insert(zone, cage, bird, Bird(mate: bird), bystander)
        let plan = try await fixture.records(Zone.self).deletePlan(for: [zone.id.uuid, other.id.uuid])
        #expect(plan == DeletePlan(requested: 1, cascades: ["Cage": 1, "Bird": 2], nullifies: [:]))
        try await fixture.submit(zone.deletion)
        #expect(try await fixture.count(Bird.self) == 1)
        #expect(try await fixture.find(bystander) != nil)
        #expect(try await fixture.totalsMatch())
    }

    @Test("A cascade deletes a chain of 500 records completely")
    func depth() async throws {
        let fixture = try StoreFixture.rules()
        var chain = [Bird()]
        for _ in 1..<500 { chain.append(Bird(mate: chain.last)) }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: chain.map(\.insertion)))
        #expect(
            await fixture.refusal(chain[0].deletion, cascadeLimit: 498)
                == .needsConfirmation(DeletePlan(requested: 1, cascades: ["Bird": 499], nullifies: [:])))
        #expect(try await fixture.count(Bird.self) == 500)
        try await fixture.submit(chain[0].deletion, cascadeLimit: 499)
        #expect(try await fixture.count(Bird.self) == 0)
        #expect(try await fixture.totalsMatch())
    }

    @Test("A cascade through a cycle ends, whichever record is deleted", arguments: 0..<3)
    func cycle(start: Int) async throws {
        let fixture = try StoreFixture.rules()
        var birds = [Bird(), Bird(), Bird()]
        for index in birds.indices { birds[index].mate = Reference(birds[(index + 1) % 3]) }
        var alone = Bird()
        alone.mate = Reference(alone)
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: (birds + [alone]).map(\.insertion)))
        try await fixture.submit(birds[start].deletion)
        #expect(try await fixture.count(Bird.self) == 1)
        try await fixture.submit(alone.deletion)
        #expect(try await fixture.count(Bird.self) == 0)
        #expect(try await fixture.totalsMatch())
    }

    @Test("Nullify clears the reference and gives the record a new version")
    func nullify() async throws {
        let fixture = try StoreFixture.rules()
        let keeper = Keeper()
        let bird = Bird(keeper: keeper)
        try await fixture.insert(keeper, bird)
        #expect(
            try await fixture.records(Keeper.self).deletePlan(for: [keeper.id.uuid])
                == DeletePlan(requested: 1, cascades: [:], nullifies: ["Bird": 1]))
        try await fixture.submit(keeper.deletion)
        let record = try #require(try await fixture.find(bird))
        #expect(record.value("keeper", in: Bird.schema) == .null)
        #expect(record.version == 2)
        #expect(await fixture.refusal(bird.update(from: 1)) != nil)
    }

    @Test("Nullify ignores records that the same change set deletes")
    func nullifyAndCascade() async throws {
        let fixture = try StoreFixture.rules()
        let keeper = Keeper()
        let zone = Zone()
        let cage = Cage(in: zone)
        try await fixture.insert(keeper, zone, cage, Bird(in: cage, keeper: keeper), Bird(keeper: keeper))
        try await fixture.submit(keeper.deletion, zone.deletion)
        #expect(try await fixture.count(Bird.self) == 1)
        #expect(try await fixture.totalsMatch())
    }

    @Test("Deny rejects a delete with the number of referring records")
    func deny() async throws {
        let fixture = try StoreFixture.rules()
        let bird = Bird()
        try await fixture.insert(bird, Permit(for: bird), Permit(for: bird))
        #expect(await fixture.refusal(bird.deletion) == .deleteDenied(model: "Bird", referencedBy: "Permit", count: 2))
        #expect(try await fixture.find(bird) != nil)
    }

    @Test("Deny within a cascade rejects the whole delete")
    func denyInCascade() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone()
        let cage = Cage(in: zone)
        let bird = Bird(in: cage)
        try await fixture.insert(zone, cage, bird, Permit(for: bird))
        #expect(await fixture.refusal(zone.deletion) == .deleteDenied(model: "Bird", referencedBy: "Permit", count: 1))
        #expect(try await fixture.count(Cage.self) == 1)
        #expect(try await fixture.totalsMatch())
    }

    @Test("Deny ignores records that the same change set deletes, in either order", arguments: [true, false])
    func denyWithinChangeSet(permitFirst: Bool) async throws {
        let fixture = try StoreFixture.rules()
        let bird = Bird()
        let permit = Permit(for: bird)
        try await fixture.insert(bird, permit)
        let changes = [permit.deletion, bird.deletion]
        let ordered = permitFirst ? changes : changes.reversed()
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: ordered))
        #expect(try await fixture.count(Bird.self) == 0)
        #expect(try await fixture.count(Permit.self) == 0)
    }

    @Test("A required reference without a delete rule denies the delete")
    func implicitDeny() async throws {
        let schema = try Schema([ModelSchema(name: "Zone", properties: []), Cage.schema(without: "birds")])
        let fixture = try StoreFixture(schema)
        let zone = UUID.version7()
        try await fixture.submit(
            .insert(model: "Zone", id: zone, values: [:]),
            .insert(model: "Cage", id: .version7(), values: ["zone": .text(zone.canonicalText)])
        )
        #expect(
            await fixture.refusal(.delete(model: "Zone", id: zone))
                == .deleteDenied(model: "Zone", referencedBy: "Cage", count: 1))
    }

    @Test("No action rejects a dangling reference unless the change set clears the reference")
    func noAction() async throws {
        let fixture = try StoreFixture.rules()
        let bird = Bird()
        let ring = Ring(on: bird)
        try await fixture.insert(bird, ring)
        #expect(await fixture.refusal(bird.deletion) == .deleteDenied(model: "Bird", referencedBy: "Ring", count: 1))
        try await fixture.submit(
            bird.deletion, .update(model: "Ring", id: ring.id.uuid, version: 1, values: ["bird": .null])
        )
        #expect(try await fixture.find(ring)?.value("bird", in: Ring.schema) == .null)
    }

    @Test("A cascade above the limit needs confirmation, which can reuse the rejected id")
    func limit() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone()
        try await fixture.insert(zone, Cage(in: zone), Cage(in: zone))
        let id = UUID.version7()
        let plan = DeletePlan(requested: 1, cascades: ["Cage": 2], nullifies: [:])
        #expect(await fixture.refusal(zone.deletion, id: id, cascadeLimit: 0) == .needsConfirmation(plan))
        #expect(await fixture.refusal(zone.deletion, id: id, cascadeLimit: 1) == .needsConfirmation(plan))
        #expect(try await fixture.count(Cage.self) == 2)
        try await fixture.submit(zone.deletion, id: id, cascadeLimit: 2)
        #expect(try await fixture.count(Cage.self) == 0)
    }

    @Test("A deleted id can be inserted again in the same change set")
    func replace() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone()
        try await fixture.insert(zone)
        try await fixture.submit(zone.deletion, zone.insertion)
        #expect(try await fixture.find(zone)?.version == 2)
        #expect(try await fixture.totalsMatch())
    }

    @Test("One change set can delete 100,000 records by cascade")
    func large() async throws {
        let fixture = try StoreFixture.lists()
        let category = Category(name: "Insects")
        try await fixture.insert(category)
        for start in stride(from: 0, to: 100_000, by: 20_000) {
            let animals = (start..<start + 20_000).map { Animal(name: "\($0)", category: category) }
            _ = try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
        }
        let records = fixture.records(Category.self)
        #expect(try await records.deletePlan(for: [category.id.uuid]).cascades == ["Animal": 100_000])
        try await fixture.submit(category.deletion)
        #expect(try await fixture.count(Animal.self) == 0)
        #expect(try await fixture.totalsMatch())
    }
}

extension Model {
    fileprivate static func schema(without property: String) -> ModelSchema {
        ModelSchema(name: modelName, properties: schema.properties.filter { $0.name != property })
    }
}

@Suite("Totals")
struct TotalTests {
    @Test(
        "Totals equal the engine's own counts after random change sets", arguments: [1, 2, 3] as [UInt64])
    func always(seed: UInt64) async throws {
        let fixture = try StoreFixture.rules()
        var history = RandomHistory(seed: seed)
        for _ in 0..<60 {
            _ = try await fixture.submitTogether(history.nextChangeSets())
            #expect(try await fixture.totalsMatch())
        }
        #expect(try fixture.hasAllReferences())
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }
}
