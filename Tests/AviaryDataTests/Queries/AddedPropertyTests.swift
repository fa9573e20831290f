import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Properties that are added to an embedded struct")
struct AddedPropertyTests {
    /// Returns a store with a parcel whose addresses were stored before most of their properties were added, and one without a
    /// second address.
    private func olderStore(_ address: String = #"{"floor":2,"street":{"name":"Whitehall"}}"#) async throws
        -> StoreFixture
    {
        let fixture = try StoreFixture(Schema([Parcel.schema]))
        var parcel = Parcel(), other = Parcel()
        parcel.secondAddress = Parcel.Address()
        parcel.value = "older"
        other.address.city = "Leuven"
        other.address.isRural = true
        other.address.since = Date(timeIntervalSince1970: 86_400)
        other.address.street.number = 7
        let parcels = fixture.repository(Parcel.self)
        for one in [parcel, other] { try await parcels.insert(one) }
        try await fixture.store.configure { connection in
            try connection.run(
                "UPDATE \"Parcel\" SET address = '\(address)', \"secondAddress\" = '\(address)' "
                    + "WHERE \"value\" = 'older'")
        }
        return fixture
    }

    @Test("A record that was stored before has the initial values, and keeps what was stored")
    func decoded() async throws {
        let fixture = try await olderStore()
        let found = try await fixture.repository(Parcel.self).fetch(
            FetchDescriptor(predicate: #Predicate { $0.value == "older" }))
        var address = Parcel.Address()
        address.floor = 2
        address.street.name = "Whitehall"
        #expect(found.map(\.address) == [address] && found.map(\.secondAddress) == [address])
    }

    @Test("Predicates find the initial values as Swift does, and a missing struct has none")
    func predicates() async throws {
        let fixture = try await olderStore(), parcels = fixture.repository(Parcel.self)
        let all = try await parcels.fetch(FetchDescriptor())
        let epoch = Date(timeIntervalSince1970: 0)
        let predicates: [Predicate<Parcel>] = [
            #Predicate { $0.address.city == "" }, #Predicate { $0.address.city != "" },
            #Predicate { !$0.address.isRural }, #Predicate { $0.address.since <= epoch },
            #Predicate { $0.address.street.number == 0 }, #Predicate { $0.secondAddress?.city == "" },
            #Predicate { $0.secondAddress?.city != "" }, #Predicate { $0.secondAddress?.isRural == false },
            #Predicate { $0.address.floor == nil },
        ]
        for predicate in predicates {
            let wanted = try Set(all.filter { try predicate.evaluate($0) }.map(\.id))
            let found = try await parcels.fetch(FetchDescriptor(predicate: predicate))
            #expect(Set(found.map(\.id)) == wanted, "\(predicate)")
        }
    }

    @Test("The data check names a record that cannot be read, and not its values")
    func unreadable() async throws {
        let fixture = try await olderStore(#"{"city":90210}"#)
        let report = try await DataCheck(
            data: fixture.directory.path, schema: fixture.schema, history: HistoryPolicy()
        ).run()
        let sentences = report.problems.filter { $0.contains("cannot be read") }
        #expect(sentences.count == 2 && sentences.allSatisfy { $0.hasPrefix("Parcel ") && !$0.contains("90210") })
        #expect(sentences.contains { $0.hasSuffix(": address cannot be read: city is not a text.") })
    }
}
