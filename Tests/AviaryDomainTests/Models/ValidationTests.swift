import AviaryDomain
import Testing

@Suite("Validating values")
struct ValidationTests {
    @Test("A required text cannot be blank", arguments: ["", "  \n"])
    func requiredText(text: String) {
        #expect(
            problems(with: .text(text), of: property("name", .string, attributes: [.required])) == [
                "The thing needs a name."
            ])
    }

    @Test("An optional text can be empty")
    func emptyText() {
        #expect(problems(with: .text(""), of: property("name", .string)).isEmpty)
    }

    @Test(
        "Only an optional property that is not required accepts null",
        arguments: [
            (.integer, "The thing needs a value."), (.calendarDate, "The thing needs a value."),
            (.string, "The thing needs a value."),
            (.choice(["one"]), "Choose a value."), (.toOne(model: "Other"), "Choose an other."),
        ] as [(PropertyType, String)])
    func null(type: PropertyType, message: String) {
        #expect(problems(with: .null, of: property("value", type)) == [message])
        #expect(problems(with: .null, of: property("value", type, isOptional: true)).isEmpty)
        #expect(
            problems(with: .null, of: property("value", type, isOptional: true, attributes: [.required])) == [message])
    }

    @Test(
        "A value of the wrong type is rejected",
        arguments: [
            (.string, .integer(1)), (.string, .blob([1])), (.boolean, .integer(2)), (.integer, .real(1)),
            (.integer, .text("1")),
            (.double, .integer(1)), (.double, .real(.nan)), (.double, .real(.infinity)),
            (.date, .text("2026-11-20T09:30Z")),
            (.calendarDate, .text("2026-02-29")), (.uuid, .text("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")),
            (.choice(["one"]), .text("two")), (.toOne(model: "Other"), .text("Okapi")),
        ] as [(PropertyType, FieldValue)])
    func mismatch(type: PropertyType, value: FieldValue) {
        #expect(problems(with: value, of: property("value", type)) == ["This value doesn’t fit the field."])
    }

    @Test(
        "A value of the right type is accepted",
        arguments: [
            (.string, .text("Okapi")), (.boolean, .integer(0)), (.integer, .integer(.min)), (.double, .real(-0.5)),
            (.date, .text("2026-11-20T09:30:00.000Z")), (.calendarDate, .text("2024-02-29")),
            (.uuid, .text("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")), (.choice(["one"]), .text("one")),
        ] as [(PropertyType, FieldValue)])
    func fitting(type: PropertyType, value: FieldValue) {
        #expect(problems(with: value, of: property("value", type)).isEmpty)
    }

    @Test("A text has a maximum length in bytes")
    func longestText() {
        let text = property("value", .string)
        #expect(problems(with: .text(String(repeating: "a", count: PropertySchema.longestText)), of: text).isEmpty)
        #expect(
            problems(with: .text(String(repeating: "é", count: PropertySchema.longestText)), of: text) == [
                "Shorten this text to at most 1,000,000 bytes."
            ])
    }

    @Test("Validation reports every problem, but only of the given properties")
    func several() {
        let thing = model("Thing", property("name", .string, attributes: [.required]), property("size", .integer))
        #expect(thing.problems(in: [:]).isEmpty)
        #expect(thing.problems(in: ["name": .text(""), "size": .null]).map(\.property) == ["name", "size"])
    }

    private func problems(with value: FieldValue, of property: PropertySchema) -> [String] {
        model("Thing", property).problems(in: [property.name: value]).map(\.message)
    }
}
