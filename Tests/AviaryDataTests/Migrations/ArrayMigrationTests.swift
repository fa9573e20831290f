import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Migration of array elements")
struct ArrayMigrationTests {
    @Test(
        "An array migrates to a wider element type with the same JSON",
        arguments: [
            (PropertyType.sizedInteger(.int8), PropertyType.integer, "[-7,127]"),
            (.sizedInteger(.int32), .double, "[-7,2147483647]"),
            (.decimal(scale: 2), .decimal(scale: 4), "[2.5,-0.01]"),
            (.choice(["a", "b"]), .string, #"["b","a"]"#),
            (.array(of: .sizedInteger(.uint8)), .array(of: .integer), "[[1],[]]"),
        ])
    func wider(_ old: PropertyType, _ new: PropertyType, _ json: String) async throws {
        let store = try MigratedStore(from: .made(.made("list", .array(of: old))))
        _ = try await store.insert(["list": .text(json)])
        let schema = try Schema.made(.made("list", .array(of: new)))
        #expect(try store.plan(schema).kind == .exclusive)
        _ = try await store.open(schema)
        #expect(try store.values(schema) == [[.text(json)]])
    }

    @Test("The wider element type reads stored values as equal values")
    func readAgain() throws {
        let numbers: [Int32] = [.min, -1, 0, 7, .max]
        #expect(try [Double](fieldValue: numbers.fieldValue) == numbers.map(Double.init))
        #expect(try [Int](fieldValue: ([.min, 0, .max] as [Int8]).fieldValue) == [-128, 0, 127])
        // The text is the same as for a newly stored value, so comparisons of texts treat them as equal.
        #expect(numbers.map(Double.init).fieldValue == numbers.fieldValue)
    }

    @Test(
        "A change of 64-bit integers to doubles, booleans to integers or floats to doubles is rejected",
        arguments: [
            (PropertyType.integer, PropertyType.double), (.boolean, .integer), (.float, .double),
        ])
    func refused(_ old: PropertyType, _ new: PropertyType) throws {
        let store = try MigratedStore(from: .made(.made("list", .array(of: old))))
        #expect(try store.plan(.made(.made("list", .array(of: new)))).kind == .refused)
    }

    @Test("Array elements can gain choices, and lose those that no record holds")
    func choices() async throws {
        func schema(_ choices: [String]) throws -> Schema { try .made(.made("foods", .array(of: .choice(choices)))) }
        let store = try MigratedStore(from: schema(["seeds", "fish"]))
        _ = try await store.insert(["foods": .text(#"["fish","seeds"]"#)])
        #expect(
            try store.plan(schema(["fish"])).refusals.first?.contains(
                "no longer has the choice seeds, which one record")
                == true)
        #expect(try store.plan(schema(["fish", "seeds"])).kind == .additive)
        let more = try schema(["seeds", "fish", "leaves"])
        #expect(try store.plan(more).kind == .exclusive)
        #expect(try store.plan(more).steps == ["add leaves to the choices of Animal.foods"])
        _ = try await store.open(more)
        _ = try await store.insert(["foods": .text(#"["leaves"]"#)])
        #expect(try store.values(more) == [[.text(#"["fish","seeds"]"#)], [.text(#"["leaves"]"#)]])
        // A program with fewer choices could not read the values.
        #expect(throws: StoreOpenError.self) {
            try ReaderPool.patient(store.directory, schema(["seeds", "fish"]))
        }
        _ = try ReaderPool.patient(store.directory, schema(["seeds", "fish", "leaves", "roots"]))
    }
}
