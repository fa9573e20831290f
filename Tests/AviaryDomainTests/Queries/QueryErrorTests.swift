import Foundation
import Testing

@testable import AviaryDomain

@Suite("Unsupported queries")
struct QueryErrorTests {
    struct Refusal: Sendable {
        let predicate: Predicate<Animal>
        let expression: String
        let advice: String

        init(_ predicate: Predicate<Animal>, _ expression: String, _ advice: String) {
            self.predicate = predicate
            self.expression = expression
            self.advice = advice
        }
    }

    // One of these predicates uses a forced unwrap, which a query rejects.
    // swift-format-ignore: NeverForceUnwrap
    static let refusals: [Refusal] = [
        Refusal(#Predicate { $0.name.count > 20 }, #"\String.count"#, "isEmpty"),
        Refusal(#Predicate { $0.name.first == nil }, "property of String", "itself"),
        Refusal(#Predicate { $0.name.allSatisfy { $0.isNumber } }, "elements", "array"),
        Refusal(#Predicate { $0.shortName == "a" }, "property of Animal, String,", "stores"),
        Refusal(#Predicate { $0.other == $0.id }, "property of Animal, RecordID<Animal>,", "stores"),
        Refusal(#Predicate { $0.category!.id == $0.category!.id }, "forced unwrap", "??"),
        Refusal(#Predicate { $0.name.min() == nil }, "SequenceMinimum", "evaluate"),
        Refusal(#Predicate { ($0.name as Any) is String }, "Type", "evaluate"),
    ]

    @Test("A query error names the expression and gives advice", arguments: refusals)
    func refused(refusal: Refusal) throws {
        let error = try #require(throws: QueryError.self) { try FetchDescriptor(predicate: refusal.predicate).query() }
        #expect(error.model == "Animal")
        #expect(error.expression.contains(refusal.expression), "\(error)")
        #expect(error.advice.contains(refusal.advice), "\(error)")
    }

    @Test("A query rejects a comparison that the type of the property defines itself")
    func ownOrder() throws {
        let rank = Rank("low")
        let predicate = #Predicate<Tool> { $0.rank > rank }
        #expect(throws: QueryError.self) { try FetchDescriptor(predicate: predicate).query() }
        #expect(throws: QueryError.self) { try FetchDescriptor<Tool>(sortBy: [SortDescriptor(\.rank)]).query() }
        let ranks = Rank("low")...Rank("high")
        #expect(throws: QueryError.self) {
            try FetchDescriptor<Tool>(predicate: #Predicate { ranks.contains($0.rank) }).query()
        }
    }

    @Test("A query rejects a constant that cannot be stored")
    func unstorable() throws {
        let far = Date(timeIntervalSince1970: 1e12), none = Double.nan
        for predicate in [#Predicate<Tool> { $0.bought == far }, #Predicate<Tool> { $0.price < none }] {
            #expect(throws: QueryError.self) { try FetchDescriptor(predicate: predicate).query() }
        }
    }

    @Test("A query rejects a division by a value that may be zero, and a remainder by minus one")
    func division() throws {
        let zero = 0.0, minusOne = -1
        for predicate in [
            #Predicate<Tool> { $0.price / zero > 1 }, #Predicate<Tool> { 1 / $0.price > 1 },
            #Predicate<Tool> { $0.count % minusOne == 0 },
            #Predicate<Tool> { $0.count / $0.count == 1 },
        ] {
            #expect(throws: QueryError.self) { try FetchDescriptor(predicate: predicate).query() }
        }
    }

    @Test("A query rejects a sort order by a computed property")
    func orders() throws {
        #expect(throws: QueryError.self) { try FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.shortName)]).query() }
    }

    @Test("A query rejects a negative limit or offset")
    func negative() throws {
        var descriptor = FetchDescriptor<Animal>()
        descriptor.fetchLimit = -1
        #expect(throws: QueryError.self) { try descriptor.query() }
        descriptor.fetchLimit = nil
        descriptor.fetchOffset = -1
        #expect(throws: QueryError.self) { try descriptor.query() }
    }

    @Test("A query error never contains a value")
    func redacted() throws {
        let secret = ["geheim"]
        for predicate in [
            #Predicate<Animal> { a in secret.contains { $0.count == a.name.count } },
            #Predicate<Animal> { $0.name.count == 77_777 },
        ] {
            let error = try #require(throws: QueryError.self) { try FetchDescriptor(predicate: predicate).query() }
            #expect(!"\(error)".contains("geheim") && !"\(error)".contains("77"))
        }
    }
}

extension Animal {
    fileprivate var shortName: String { String(name.prefix(1)) }
    fileprivate var other: RecordID<Animal> { id }
}

/// A type with its own comparison.
private struct Rank: StoredValue, Comparable, Codable, Hashable {
    var name = "low"

    static var propertyType: PropertyType { .string }
    var fieldValue: FieldValue { .text(name) }

    init(_ name: String) { self.name = name }
    init(fieldValue: FieldValue) throws(FieldValueError) { name = try String(fieldValue: fieldValue) }

    static func < (left: Rank, right: Rank) -> Bool { left.name == "low" && right.name == "high" }
}

private struct Tool: Model {
    var id = RecordID<Tool>()
    var rank = Rank("low")
    var bought = Date()
    var price = 1.0
    var count = 1

    static let schema = ModelSchema(
        Tool.self,
        [
            .init(\.rank, "rank"), .init(\.bought, "bought"), .init(\.price, "price"), .init(\.count, "count"),
        ])

    init() {}

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        rank = try reader.next("rank")
        bought = try reader.next("bought")
        price = try reader.next("price")
        count = try reader.next("count")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(rank)
        writer.bind(bought)
        writer.bind(price)
        writer.bind(count)
    }
}
