public import Aviary
import Foundation
import Testing

/// Compiles `@Embedded` as an application does. The tests of the macro compare its text alone.
@Suite("Initial values of embedded structs")
struct InitialValueTests {
    @Test("A property that the JSON lacks has its initial value")
    func lacking() throws {
        let price = try JSONDecoder().decode(Price.self, from: Data(#"{"amount":5}"#.utf8))
        #expect(price == Price(amount: 5, currency: "EUR", note: nil))
        let weight = try JSONDecoder().decode(Weight.self, from: Data(#"{"grams":7}"#.utf8))
        #expect(weight.grams == 7 && weight.isNet)
    }

    @Test("A property of the JSON has its value, under its key")
    func present() throws {
        let json = #"{"amount":5,"currency":"CHF","note":"net"}"#
        let price = try JSONDecoder().decode(Price.self, from: Data(json.utf8))
        #expect(price == Price(amount: 5, currency: "CHF", note: "net"))
        let weight = try JSONDecoder().decode(Weight.self, from: Data(#"{"grams":7,"net":false}"#.utf8))
        #expect(!weight.isNet)
    }

    @Test("A property without an initial value is needed")
    func needed() {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(Price.self, from: Data(#"{"currency":"CHF"}"#.utf8))
        }
    }
}

@Embedded
struct Price: Hashable {
    var amount: Int
    var currency = "EUR"
    var note: String?
}

@Embedded
public struct Weight {
    public var grams: Int
    public var isNet: Bool = true

    enum CodingKeys: String, CodingKey { case grams, isNet = "net" }
}
