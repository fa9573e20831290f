import AviaryDomain
import Foundation
import TestSupport

/// A model with a property of each kind that ``Creature`` does not have.
struct Parcel: Model {
    enum Rating: Int, Choice, Comparable {
        case poor = 3, fair = 20, good = 1

        static func < (left: Rating, right: Rating) -> Bool {
            let order: [Rating] = [.poor, .fair, .good]
            return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
        }
    }

    struct Address: Embedded, Hashable {
        struct Street: Embedded, Hashable {
            var name = ""
            var number = 0

            static let embeddedProperties: [EmbeddedProperty] = [
                .init(\Street.name, "name", default: ""), .init(\Street.number, "no", default: 0),
            ]
            enum CodingKeys: String, CodingKey { case name, number = "no" }
        }

        var city = ""
        var floor: Int?
        var isRural = false
        var since = Date(timeIntervalSince1970: 0)
        var street = Street()
        var distance = 0.5

        static let embeddedProperties: [EmbeddedProperty] = [
            .init(\Address.city, "city", default: ""), .init(\Address.floor, "floor"),
            .init(\Address.isRural, "isRural", default: false),
            .init(\Address.since, "since", default: Date(timeIntervalSince1970: 0)),
            .init(\Address.street, "street", default: Street()), .init(\Address.distance, "distance", default: 0.5),
        ]
    }

    var id = RecordID<Parcel>()
    var small: Int8 = 0
    var medium: UInt16?
    var large: UInt64 = 0
    var ratio: Float = 0
    var share: Float?
    var price: Decimal = 0
    var tax: Decimal?
    var bytes = Data()
    var home: URL?
    var rating = Rating.fair
    var lastRating: Rating?
    var tags: [String] = []
    var codes: Set<Int>?
    var address = Address()
    var secondAddress: Address?
    /// A property with the name of a column that a list has.
    var value = ""

    static let schema = ModelSchema(
        Parcel.self,
        [
            .init(\.small, "small"), .init(\.medium, "medium"), .init(\.large, "large"), .init(\.ratio, "ratio"),
            .init(\.share, "share"),
            .init(\.price, "price"), .init(\.tax, "tax", attributes: [.scale(4)]), .init(\.bytes, "bytes"),
            .init(\.home, "home"),
            .init(\.rating, "rating"), .init(\.lastRating, "lastRating"), .init(\.tags, "tags"),
            .init(\.codes, "codes"),
            .init(\.address, "address"), .init(\.secondAddress, "secondAddress"), .init(\.value, "value"),
        ])

    init() {}

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        small = try reader.next("small")
        medium = try reader.next("medium")
        large = try reader.next("large")
        ratio = try reader.next("ratio")
        share = try reader.next("share")
        price = try reader.next("price")
        tax = try reader.next("tax")
        bytes = try reader.next("bytes")
        home = try reader.next("home")
        rating = try reader.next("rating")
        lastRating = try reader.next("lastRating")
        tags = try reader.next("tags")
        codes = try reader.next("codes")
        address = try reader.next("address")
        secondAddress = try reader.next("secondAddress")
        value = try reader.next("value")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(small)
        writer.bind(medium)
        writer.bind(large)
        writer.bind(ratio)
        writer.bind(share)
        writer.bind(price)
        writer.bind(tax)
        writer.bind(bytes)
        writer.bind(home)
        writer.bind(rating)
        writer.bind(lastRating)
        writer.bind(tags)
        writer.bind(codes)
        writer.bind(address)
        writer.bind(secondAddress)
        writer.bind(value)
    }
}

// As the macro decodes structs with initial values.
extension Parcel.Address.Street {
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try EmbeddedProperty.read(&name, of: .name, in: values)
        try EmbeddedProperty.read(&number, of: .number, in: values)
    }
}

extension Parcel.Address {
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        floor = try EmbeddedProperty.value(of: .floor, in: values)
        try EmbeddedProperty.read(&city, of: .city, in: values)
        try EmbeddedProperty.read(&isRural, of: .isRural, in: values)
        try EmbeddedProperty.read(&since, of: .since, in: values)
        try EmbeddedProperty.read(&street, of: .street, in: values)
        try EmbeddedProperty.read(&distance, of: .distance, in: values)
    }
}

extension Parcel {
    static let words = ["a", "é", "key \"quoted\"", "", "日本", "\\", "value", "b/c"]

    /// Returns a random parcel with few distinct values, so that predicates match some of them.
    static func random(_ generator: inout SeededGenerator) -> Parcel {
        func pick<Value>(_ values: [Value], _ generator: inout SeededGenerator) -> Value {
            values[.random(in: values.indices, using: &generator)]
        }
        var parcel = Parcel()
        parcel.small = pick([-128, -1, 0, 5, 127], &generator)
        parcel.medium = pick([nil, 0, 7, .max], &generator)
        parcel.large = pick([0, 1, UInt64(Int64.max)], &generator)
        parcel.ratio = pick([0, -0.0, 0.1, 1.5, -3e30], &generator)
        parcel.share = pick([nil, 0.1, 0.3], &generator)
        parcel.price = pick([0, -1, 2.5, 2.51, 1_000_000].map { Decimal(string: "\($0)") ?? 0 }, &generator)
        parcel.tax = pick(
            [nil, "2.5000", "2.5001", "-0.0001", "2.51"].map { $0.flatMap { Decimal(string: $0) } }, &generator)
        parcel.bytes = pick([Data(), Data([0]), Data([0, 1, 255])], &generator)
        parcel.home = pick(
            [nil, URL(string: "https://a.example/x?y=1#z"), URL(string: "mailto:a@b.example")], &generator)
        parcel.rating = pick(Rating.allCases, &generator)
        parcel.lastRating = pick([nil] + Rating.allCases, &generator)
        parcel.tags = (0..<Int.random(in: 0...3, using: &generator)).map { _ in pick(words, &generator) }
        parcel.codes = pick([nil, [], [1], [1, 2, -7]], &generator)
        parcel.address = address(&generator)
        parcel.secondAddress = Bool.random(using: &generator) ? address(&generator) : nil
        parcel.value = pick(words, &generator)
        return parcel
    }

    private static func address(_ generator: inout SeededGenerator) -> Address {
        var address = Address()
        address.city = words[.random(in: words.indices, using: &generator)]
        address.floor = Bool.random(using: &generator) ? Int.random(in: -1...3, using: &generator) : nil
        address.isRural = .random(using: &generator)
        address.since = Menagerie.noon(plus: .random(in: -2...2, using: &generator))
        address.street.number = .random(in: 0...3, using: &generator)
        return address
    }
}
