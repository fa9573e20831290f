import AviaryDomain
import Foundation
import Testing

@Suite("Field values")
struct FieldValueTests {
    static let samples: [FieldValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .real(0), .real(3), .real(-2.5),
        .real(.greatestFiniteMagnitude),
        .real(.leastNonzeroMagnitude), .text(""), .text("null"), .text("1"), .text("a\"b\\c\n\u{1F99C}e\u{301}"),
        .blob([]), .blob([0, 255, 10]),
    ]

    @Test("A field value survives a round trip through JSON, alone and in a dictionary", arguments: samples)
    func coding(value: FieldValue) throws {
        let data = try JSONEncoder().encode(["value": value])
        #expect(try JSONDecoder().decode([String: FieldValue].self, from: data) == ["value": value])
        let alone = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(FieldValue.self, from: alone) == value)
    }

    @Test("Values of different kinds are not equal")
    func kinds() {
        #expect(FieldValue.real(1) != .integer(1))
        #expect(FieldValue.text("1") != .integer(1))
        #expect(FieldValue.text("") != .null)
        #expect(FieldValue.blob([65]) != .text("A"))
    }

    @Test("Texts are compared bytewise")
    func bytewise() {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(FieldValue.text(composed) != .text(decomposed))
        #expect(Set([FieldValue.text(composed), .text(decomposed), .text(composed)]).count == 2)
    }

    @Test("The elements of a set are in the order in which they are stored, in every process")
    func setOrder() throws {
        let words = ["kea", "emu", "okapi", "axolotl", "ibis", "yak", "newt", "zebu"]
        let elements = try #require(Set<String>.traits.elements)
        #expect(elements(Set(words).fieldValue, 0) == words.sorted().map(FieldValue.text))
    }

    @Test("JSON of another shape cannot be decoded", arguments: ["true", "{}", "{\"real\":\"x\"}", "[1]", "1.5"])
    func malformed(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FieldValue.self, from: Data(json.utf8)) }
    }

    @Test("The redacted text of an error omits the reason")
    func redaction() {
        let unread = FieldValueError.invalid(model: "Animal", property: "diet", reason: "secret")
        #expect(unread.redactedText == "FieldValueError invalid")
        #expect(unread.description == "Animal.diet: secret")
        #expect(unread.code == .invalid && unread.model == "Animal" && unread.property == "diet")
        let stage = MigrationError.failed(stage: "1.0.0 to 2.0.0", reason: "secret")
        #expect(stage.redactedText == "MigrationError failed" && stage.stage == "1.0.0 to 2.0.0")
    }
}

@Suite("Storing Swift types")
struct StoredValueTests {
    @Test("Each type reads back what it writes")
    func roundTrip() throws {
        try check("text")
        try check(true)
        try check(-7)
        try check(2.5)
        try check(UUID())
        try check(Date(timeIntervalSince1970: 1_763_664_000.5))
        try check(CalendarDate.today)
        try check(Animal.Diet.omnivorous)
        try check(Reference<Animal>(id: RecordID()))
        try check(Int?.none)
        try check(Int?.some(3))
    }

    @Test("A value of another kind throws an error that does not quote the value")
    func mismatch() {
        #expect(throws: FieldValueError.typeMismatch(expected: "a text")) { try String(fieldValue: .integer(1)) }
        #expect(throws: FieldValueError.typeMismatch(expected: "a whole number")) { try Int(fieldValue: .real(1)) }
        #expect(throws: FieldValueError.typeMismatch(expected: "a number")) { try Double(fieldValue: .null) }
        #expect(throws: FieldValueError.typeMismatch(expected: "a date")) {
            try CalendarDate(fieldValue: .text("2026"))
        }
        #expect(throws: FieldValueError.unknownChoice) { try Animal.Diet(fieldValue: .text("Herbivorous")) }
        #expect(throws: FieldValueError.typeMismatch(expected: "a text")) { try String?(fieldValue: .integer(1)) }
    }

    private func check<Value: StoredValue & Equatable>(_ value: Value) throws {
        #expect(try Value(fieldValue: value.fieldValue) == value)
    }
}
