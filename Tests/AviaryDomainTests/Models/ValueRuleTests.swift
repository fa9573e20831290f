import AviaryDomain
import Foundation
import Testing

@Suite("Validation rules of @Attribute")
struct ValueRuleTests {
    @Test(
        "A length rule counts characters as a reader sees them",
        arguments: [
            (.length(1...3), "", "Enter at least 1 character."), (.length(1...3), "abc", nil),
            (.length(1...3), "éé👩‍👩‍👧", nil),
            (.length(1...3), "abcd", "Enter at most 3 characters."),
            (.length(2...), "a", "Enter at least 2 characters."),
            (.length(2...), "👩‍👩‍👧", "Enter at least 2 characters."), (.length(...1), "", nil),
            (.length(...1), "ab", "Enter at most 1 character."),
            (.length(4...4), "abc", "Enter exactly 4 characters."),
            (.length(4...4), "abcde", "Enter exactly 4 characters."),
            (.length(1..<4), "abcd", "Enter at most 3 characters."), (.length(1..<4), "abc", nil),
            (.length(..<2), "ab", "Enter at most 1 character."), (.length(..<2), "", nil),
            (.length(...1_200), String(repeating: "a", count: 1_201), "Enter at most 1,200 characters."),
        ] as [(AttributeOption, String, String?)])
    func length(rule: AttributeOption, text: String, message: String?) {
        #expect(problem(with: .text(text), of: .string, rule) == message)
    }

    @Test(
        "A number must be in its range, whole or not",
        arguments: [
            (.integer, .range(0...), .integer(-1), "Enter a number of at least 0."),
            (.integer, .range(0...), .integer(0), nil),
            (.integer, .range(1...5), .integer(6), "Enter a number from 1 to 5."),
            (.integer, .range(...(-1)), .integer(0), "Enter a number of at most -1."),
            (.integer, .range(0..<24), .integer(24), "Enter a number from 0 to 23."),
            (.integer, .range(0..<24), .integer(23), nil), (.integer, .range(0..<24), .integer(0), nil),
            (.sizedInteger(.int8), .range(..<0), .integer(0), "Enter a number of at most -1."),
            (.integer, .range(0.5...), .integer(0), "Enter a number of at least 0.5."),
            (.integer, .range(0...), .integer(.max), nil),
            (.integer, .range((Int.max - 1)...), .integer(.max - 2), "Enter a number of at least 9223372036854775806."),
            (.double, .range(0...1), .real(1), nil),
            (.double, .range(0...1), .real(1.0.nextUp), "Enter a number from 0 to 1."),
            (.double, .range(0.1...), .real(0.1), nil),
            (.double, .range(0.1...), .real(0.1.nextDown), "Enter a number of at least 0.1."),
            (.sizedInteger(.int8), .range(0...), .integer(-1), "Enter a number of at least 0."),
            (.float, .range(0...), .real(-0.5), "Enter a number of at least 0."),
        ] as [(PropertyType, AttributeOption, FieldValue, String?)])
    func range(type: PropertyType, rule: AttributeOption, value: FieldValue, message: String?) {
        #expect(problem(with: value, of: type, rule) == message)
    }

    @Test(
        "A decimal is compared exactly, at its scale",
        arguments: [
            (10, nil), (9, "Enter a number from 0.1 to 99.99."), (9_999, nil),
            (10_000, "Enter a number from 0.1 to 99.99."),
        ] as [(Int64, String?)])
    func decimal(hundredths: Int64, message: String?) throws {
        let least = try #require(Decimal(string: "0.1")), most = try #require(Decimal(string: "99.99"))
        #expect(problem(with: .integer(hundredths), of: .decimal(scale: 2), .range(least...most)) == message)
        #expect(problem(with: .integer(hundredths), of: .decimal(scale: 2), .range(0.1...99.99)) == message)
    }

    @Test(
        "A pattern must match the whole text",
        arguments: [
            ("AB-12", nil), ("AB-", "Enter a code such as AB-12."), (" AB-12", "Enter a code such as AB-12."),
            ("AB-12\n", "Enter a code such as AB-12."), ("", "Enter a code such as AB-12."),
        ] as [(String, String?)])
    func pattern(text: String, message: String?) {
        let rule = AttributeOption.pattern("[A-Z]{2}-[0-9]+", hint: "a code such as AB-12")
        #expect(problem(with: .text(text), of: .string, rule) == message)
    }

    @Test("The message of a pattern without a hint does not show the pattern")
    func patternWithoutHint() {
        #expect(
            problem(with: .text("b"), of: .string, .pattern("a+")) == "This value doesn’t have the required format.")
    }

    @Test("A text with a pattern has a maximum length")
    func longText() {
        let text = String(repeating: "a", count: 1_001)
        #expect(
            problem(with: .text(text), of: .string, .pattern("a+"))
                == "Shorten this text to at most 1,000 bytes.")
        #expect(problem(with: .text(String(text.dropLast())), of: .string, .pattern("a+")) == nil)
    }

    @Test("A nil value satisfies every rule, and a missing required value is reported first")
    func nothing() {
        let code = property("code", .string, isOptional: true, attributes: [.length(2...), .pattern("a+")])
        #expect(model("Thing", code).problems(in: ["code": .null]).isEmpty)
        let name = property("name", .string, attributes: [.required, .length(2...)])
        #expect(model("Thing", name).problems(in: ["name": .text(" ")]).map(\.message) == ["The thing needs a name."])
    }

    @Test("The length rule precedes the pattern, with one message for each field")
    func order() {
        let code = property("code", .string, attributes: [.length(2...), .pattern("a+")])
        #expect(
            model("Thing", code).problems(in: ["code": .text("b")]).map(\.message) == ["Enter at least 2 characters."])
    }

    @Test("Rules apply to new values only, and stored records stay valid")
    func olderRecords() {
        let thing = model(
            "Thing", property("name", .string, attributes: [.required, .length(2...)]),
            property("code", .string, isOptional: true, attributes: [.required, .pattern("a+")]),
            property("size", .integer, attributes: [.range(1...)])
        )
        let values: [String: FieldValue] = ["name": .text(""), "code": .null, "size": .integer(0)]
        #expect(thing.problems(in: values).count == 3)
        #expect(thing.validationProblems(in: values).isEmpty)
        #expect(
            thing.validationProblems(in: ["name": .null, "code": .integer(1)]).map(\.property) == ["name", "code"])
    }

    private func problem(with value: FieldValue, of type: PropertyType, _ rule: AttributeOption) -> String? {
        model("Thing", property("value", type, attributes: [rule])).problems(in: ["value": value]).first?.message
    }
}
