import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Added properties of every type")
struct AddedTypeTests {
    @Test(
        "Existing records get the default of an added property, including extreme values",
        arguments: [
            (.sizedInteger(.int8), .integer(-128)), (.sizedInteger(.uint64), .integer(.max)),
            (.integer, .integer(.min)),
            (.float, .real(Double(Float(0.1)))), (.double, .real(-1e300)), (.double, .real(3)),
            (.decimal(scale: 18), .integer(.min)),
            (.data, .blob([])), (.data, .blob([0, 39, 255])), (.url, .text("https://example.com/'a'?b=c")),
            (.integerChoice([-1, 7]), .integer(-1)), (.json, .text(#"{"a":"it's"}"#)),
            (.array(of: .string), .text(#"["\"",""]"#)),
        ] as [(PropertyType, FieldValue)])
    func added(type: PropertyType, value: FieldValue) async throws {
        let old = try MigratedStore(from: .made(.made("name", .string)))
        _ = try await old.insert(["name": .text("Okapi")])
        let new = try Schema.made(
            .made("name", .string), .made("added", type, default: value), .made("empty", type, optional: true))
        #expect(try old.plan(new).kind == .additive)
        _ = try await old.open(new)
        #expect(try old.values(new) == [[.text("Okapi"), value, .null]])
    }

    @Test("Required data and arrays are added empty, but JSON, decimals and URLs need a default")
    func withoutDefault() async throws {
        let old = try MigratedStore(from: .made(.made("name", .string)))
        _ = try await old.insert(["name": .text("Okapi")])
        for type in [PropertyType.json, .decimal(scale: 2), .url] {
            #expect(try old.plan(.made(.made("name", .string), .made("added", type))).kind == .refused)
        }
        let new = try Schema.made(.made("name", .string), .made("image", .data), .made("tags", .array(of: .string)))
        _ = try await old.open(new)
        #expect(try old.values(new) == [[.text("Okapi"), .blob([]), .text("[]")]])
    }
}
