import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Previous values of a record")
struct PreviousValuesTests {
    /// Creates a zone that bob and ada rename in turns from 0 to 1, 2, 3 and so on.
    private func fixture(_ names: Int) async throws -> (StoreFixture, Zone, [RecordChange]) {
        let fixture = try StoreFixture.rules()
        var zone = Zone()
        zone.name = "0"
        try await fixture.insert(zone)
        for number in 1..<names {
            let version = try #require(try await fixture.records(Zone.self).find(zone.id.uuid)).version
            let change = Change.update(
                model: "Zone", id: zone.id.uuid, version: version, values: ["name": .text("\(number)")])
            _ = try await fixture.store.submit(
                ChangeSet(author: number.isMultiple(of: 2) ? "ada" : "bob", changes: [change]))
        }
        return (
            fixture, zone,
            try await fixture.history.changes(of: zone.id.uuid, in: "Zone", before: nil, limit: .max).reversed()
        )
    }

    @Test("Previous values are available as of each change and commit, with that commit and the latest commit")
    func points() async throws {
        let (fixture, zone, changes) = try await fixture(4)
        for (index, change) in changes.dropLast().enumerated() {
            for point in [HistoryPoint.change(change.number), .commit(change.commit)] {
                let values = try #require(try await fixture.history.values(of: zone.id.uuid, in: "Zone", asOf: point))
                #expect(values.values == ["name": .text("\(index)")])
                #expect(values.commit?.number == change.commit && values.last?.number == changes.last?.commit)
                #expect(values.last?.author == "bob")
            }
        }
    }

    @Test("At the newest commit no value differs and there is no later commit")
    func newest() async throws {
        let (fixture, zone, changes) = try await fixture(2)
        let last = try #require(changes.last)
        let values = try #require(
            try await fixture.history.values(of: zone.id.uuid, in: "Zone", asOf: .commit(last.commit + 7)))
        #expect(
            values.values.isEmpty && values.secrets.isEmpty && values.last == nil
                && values.commit?.number == last.commit)
    }

    @Test("Previous values are available across 1,100 changes")
    func many() async throws {
        let (fixture, zone, changes) = try await fixture(1100)
        let values = try await fixture.history.values(
            of: zone.id.uuid, in: "Zone", asOf: .change(try #require(changes.first).number))
        #expect(values?.values == ["name": .text("0")])
    }

    @Test("No values are available for another record's change, before the insert, or across a delete")
    func unreachable() async throws {
        let (fixture, zone, changes) = try await fixture(3)
        let history = fixture.history, id = zone.id.uuid
        _ = try await fixture.store.submit(ChangeSet(author: "ada", changes: [Zone().insertion]))
        #expect(
            try await history.values(of: id, in: "Zone", asOf: .change(try #require(changes.last).number + 1)) == nil)
        #expect(try await history.values(of: id, in: "Zone", asOf: .commit(0)) == nil)
        #expect(try await history.values(of: .version7(), in: "Zone", asOf: .commit(1)) == nil)
        _ = try await fixture.store.submit(ChangeSet(author: "ada", changes: [zone.deletion]))
        let second = try #require(changes.dropFirst().first)
        #expect(try await history.values(of: id, in: "Zone", asOf: .change(second.number)) == nil)
    }
}
