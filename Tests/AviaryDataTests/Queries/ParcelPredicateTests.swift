import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Predicates on every property type")
struct ParcelPredicateTests {
    static let exact = Decimal(string: "2.50") ?? 0, finer = Decimal(string: "2.505") ?? 0,
        below = Decimal(string: "-0.00005") ?? 0
    static let huge = Decimal(string: "99999999999999999999999999") ?? 0, finest = Decimal(string: "2.5001") ?? 0
    static let noon = Menagerie.noon(plus: 0), page = URL(string: "https://a.example/x?y=1#z"),
        bytes = Data([0, 1, 255])
    static let least = Int8.min, float = Float(0.1), top = UInt64(Int64.max), good = Parcel.Rating.good,
        fair = Parcel.Rating.fair
    static let ratings: [Parcel.Rating?] = [.poor, nil], decimals = [exact, finer, huge],
        optionals: [Decimal?] = [nil, finest]
    static let tags = ["a", "é"], codes: Set<Int>? = [-7, 2, 1], none: Parcel.Address? = nil

    static var predicates: [Predicate<Parcel>] { numbers + decimalComparisons + choicesAndBytes + lists + structs }

    private static var numbers: [Predicate<Parcel>] {
        let least = Self.least
        let float = Self.float
        let top = Self.top
        var all: [Predicate<Parcel>] = []
        all.append(#Predicate { $0.small == least })
        all.append(#Predicate { $0.small > -1 })
        all.append(#Predicate { $0.medium != 7 })
        all.append(#Predicate { ($0.medium ?? 3) < 4 })
        all.append(#Predicate { $0.large == top })
        all.append(#Predicate { $0.large < top })
        all.append(#Predicate { $0.ratio == float })
        all.append(#Predicate { $0.ratio <= 0 })
        all.append(#Predicate { $0.share == float })
        all.append(#Predicate { ($0.share ?? 1) > 0.1 })
        all.append(#Predicate { [0.1, 1.5].contains($0.ratio) })
        return all
    }

    private static var decimalComparisons: [Predicate<Parcel>] {
        let exact = Self.exact
        let finer = Self.finer
        let below = Self.below
        let huge = Self.huge
        let finest = Self.finest
        let decimals = Self.decimals
        let optionals = Self.optionals
        let range = Self.exact...Self.huge
        let open = ..<Self.finer
        var all: [Predicate<Parcel>] = []
        all.append(#Predicate { $0.price == exact })
        all.append(#Predicate { $0.price != exact })
        all.append(#Predicate { $0.price == finer })
        all.append(#Predicate { $0.price != finer })
        all.append(#Predicate { $0.price < finer })
        all.append(#Predicate { $0.price <= finer })
        all.append(#Predicate { $0.price > finer })
        all.append(#Predicate { $0.price >= finer })
        all.append(#Predicate { finer > $0.price })
        all.append(#Predicate { finer <= $0.price })
        all.append(#Predicate { $0.price > below })
        all.append(#Predicate { $0.price < below })
        all.append(#Predicate { $0.price < huge })
        all.append(#Predicate { $0.price > huge })
        all.append(#Predicate { $0.price > -huge })
        all.append(#Predicate { $0.tax == finest })
        all.append(#Predicate { $0.tax != finest })
        all.append(#Predicate { $0.tax == nil })
        all.append(#Predicate { $0.tax == finer })
        all.append(#Predicate { ($0.tax ?? exact) == exact })
        all.append(#Predicate { $0.price == ($0.tax ?? 0) })
        all.append(#Predicate { $0.price < ($0.tax ?? 0) })
        all.append(#Predicate { decimals.contains($0.price) })
        all.append(#Predicate { optionals.contains($0.tax) })
        all.append(#Predicate { range.contains($0.price) })
        all.append(#Predicate { open.contains($0.price) })
        all.append(#Predicate { p in p.tax.flatMap { $0 < finer } ?? true })
        return all
    }

    private static var choicesAndBytes: [Predicate<Parcel>] {
        let page = Self.page
        let bytes = Self.bytes
        let good = Self.good
        let fair = Self.fair
        let ratings = Self.ratings
        let wide = Self.fair...
        var all: [Predicate<Parcel>] = []
        all.append(#Predicate { $0.bytes == bytes })
        all.append(#Predicate { $0.bytes != bytes })
        all.append(#Predicate { $0.home == page })
        all.append(#Predicate { $0.home != page })
        all.append(#Predicate { $0.home == nil })
        all.append(#Predicate { $0.rating == good })
        all.append(#Predicate { $0.rating < good })
        all.append(#Predicate { $0.rating >= fair })
        all.append(#Predicate { $0.lastRating != good })
        all.append(#Predicate { p in p.lastRating.flatMap { $0 <= p.rating } == true })
        all.append(#Predicate { wide.contains($0.rating) })
        all.append(#Predicate { ratings.contains($0.lastRating) })
        all.append(#Predicate { $0.rating.rawValue > 2 })
        all.append(#Predicate { ($0.lastRating ?? good) > fair })
        return all
    }

    private static var lists: [Predicate<Parcel>] {
        let tags = Self.tags
        let codes = Self.codes
        var all: [Predicate<Parcel>] = []
        all.append(#Predicate { $0.tags.contains("é") })
        all.append(#Predicate { !$0.tags.contains("") })
        all.append(#Predicate { $0.tags.contains("key \"quoted\"") })
        all.append(#Predicate { $0.tags.contains("\\") })
        all.append(#Predicate { $0.tags.contains($0.value) })
        all.append(#Predicate { $0.tags.contains($0.address.city) })
        all.append(#Predicate { $0.tags.isEmpty })
        all.append(#Predicate { $0.tags.count > 1 })
        all.append(#Predicate { $0.tags.count * 2 == 4 })
        all.append(#Predicate { $0.tags == tags })
        all.append(#Predicate { $0.tags != tags })
        all.append(#Predicate { $0.codes == codes })
        all.append(#Predicate { $0.codes?.contains(-7) == true })
        all.append(#Predicate { $0.codes?.isEmpty ?? true })
        all.append(#Predicate { ($0.codes?.count ?? 0) == 1 })
        return all
    }

    private static var structs: [Predicate<Parcel>] {
        let noon = Self.noon
        let none = Self.none
        var all: [Predicate<Parcel>] = []
        all.append(#Predicate { $0.address.city == "é" })
        all.append(#Predicate { $0.address.city < "b" })
        all.append(#Predicate { $0.address.city.contains("quoted") })
        all.append(#Predicate { $0.address.floor == nil })
        all.append(#Predicate { ($0.address.floor ?? 0) > 0 })
        all.append(#Predicate { $0.address.isRural })
        all.append(#Predicate { $0.address.since < noon })
        all.append(#Predicate { $0.address.since == noon })
        all.append(#Predicate { $0.address.street.number % 2 == 1 })
        all.append(#Predicate { $0.secondAddress?.city == "a" })
        all.append(#Predicate { $0.secondAddress?.city != "a" })
        all.append(#Predicate { $0.secondAddress == none })
        all.append(#Predicate { $0.secondAddress?.street.number == 2 })
        all.append(#Predicate { $0.secondAddress?.isRural ?? true })
        all.append(#Predicate { p in p.secondAddress.flatMap { $0.floor } == p.address.floor })
        return all
    }

    @Test("A fetch finds the same of 200 random records as evaluate", arguments: [TestSeed.value])
    func same(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let parcels = (0..<200).map { _ in Parcel.random(&generator) }
        let fixture = try StoreFixture(Schema([Parcel.schema]))
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: parcels.map(\.insertion)))
        let repository = fixture.repository(Parcel.self)
        let stored = try await repository.fetchAll()
        #expect(stored.count == 200)
        var idle = 0
        for predicate in Self.predicates {
            let wanted = try stored.filter { try predicate.evaluate($0) }.map(\.id)
            let found = try await repository.fetchIdentifiers(FetchDescriptor(predicate: predicate))
            let isSame = found == wanted
            #expect(isSame, "\(predicate): \(found.count) of \(wanted.count), seed \(seed)")
            if wanted.isEmpty || wanted.count == 200 { idle += 1 }
        }
        #expect(idle < 15)

        let orders: [[SortDescriptor<Parcel>]] = [
            [SortDescriptor(\.small), SortDescriptor(\.medium, order: .reverse)],
            [SortDescriptor(\.price, order: .reverse), SortDescriptor(\.tax)],
            [SortDescriptor(\.ratio), SortDescriptor(\.share)], [SortDescriptor(\.rating, order: .reverse)],
            [SortDescriptor(\.lastRating), SortDescriptor(\.large)],
        ]
        for order in orders {
            #expect(
                try await repository.fetchIdentifiers(FetchDescriptor(sortBy: order))
                    == stored.sorted(using: order).map(\.id), "\(order)")
        }
        let selected = try await repository.fetch(FetchDescriptor(), selecting: \.tax, \.tags, \.address)
        #expect(
            zip(selected, stored).allSatisfy {
                $0.values.0 == $1.tax && $0.values.1 == $1.tags && $0.values.2 == $1.address
            })
    }

    @Test("A predicate that the store cannot evaluate exactly is rejected with the model and advice")
    func refused() throws {
        var all: [Predicate<Parcel>] = []
        all.append(#Predicate<Parcel> { $0.address == $0.address })
        all.append(#Predicate<Parcel> { $0.address.distance == 0.5 })
        all.append(#Predicate<Parcel> { $0.tags.first == "a" })
        all.append(#Predicate<Parcel> { $0.tags.contains { $0 == "a" } })
        all.append(#Predicate<Parcel> { $0.tags.allSatisfy { $0 == "a" } })
        all.append(#Predicate<Parcel> { $0.price + 1 > 2 })
        all.append(#Predicate<Parcel> { $0.small + 1 > 2 })
        all.append(#Predicate<Parcel> { $0.ratio * 2 > 1 })
        all.append(#Predicate<Parcel> { $0.bytes.isEmpty })
        all.append(#Predicate<Parcel> { $0.bytes.contains(3) })
        let above = UInt64.max
        all.append(#Predicate<Parcel> { $0.large == above })
        for predicate in all {
            let error = #expect(throws: QueryError.self, "\(predicate)") {
                try FetchDescriptor(predicate: predicate).query()
            }
            #expect(error?.model == "Parcel" && error?.advice.isEmpty == false)
        }
    }
}
