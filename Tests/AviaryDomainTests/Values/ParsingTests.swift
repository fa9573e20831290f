import AviaryDomain
import Foundation
import Testing

@Suite("Parsing text into values")
struct ParsingTests {
    @Test(
        "Each type parses its texts",
        arguments: [
            (.string, " as typed ", .text(" as typed ")), (.string, "", .text("")),
            (.boolean, "true", .integer(1)), (.boolean, " Yes ", .integer(1)), (.boolean, "0", .integer(0)),
            (.integer, " -12 ", .integer(-12)), (.integer, "9223372036854775807", .integer(.max)),
            (.double, "3.75", .real(3.75)), (.double, "-1e3", .real(-1000)),
            (.date, "2026-11-20T09:30", .text("2026-11-20T09:30:00.000Z")),
            (.calendarDate, " 2024-02-29", .text("2024-02-29")),
            (.uuid, "017F22E2-79B0-7CC3-98C4-DC0C0C07398F", .text("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")),
            (
                .toOne(model: "Animal"), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                .text("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
            ),
            (.choice(["one", "two"]), " two ", .text("two")),
        ] as [(PropertyType, String, FieldValue)])
    func parsed(type: PropertyType, text: String, value: FieldValue) {
        #expect(property("value", type).parse(text) == .success(value))
    }

    @Test(
        "Each type rejects invalid text with advice",
        arguments: [
            (.string, "a\0b", "Remove the NUL character. It can’t be saved."),
            (.boolean, "maybe", "Enter true or false."),
            (.integer, "1.5", "Enter a whole number, such as 12."),
            (
                .integer, "9223372036854775808",
                "Enter a whole number from -9,223,372,036,854,775,808 to 9,223,372,036,854,775,807."
            ),
            (.integer, "-", "Enter a whole number, such as 12."),
            (.sizedInteger(.uint8), "-99999999999999999999", "Enter a whole number from 0 to 255."),
            (.double, "1,5", "Enter a number, such as 3.75."),
            (.double, "nan", "Enter a number, such as 3.75."),
            (.double, "1e400", "Enter a number from -1.7976931348623157e+308 to 1.7976931348623157e+308."),
            (.date, "20 November 2026", "Enter a date and time, such as 2026-11-20T09:30."),
            (.calendarDate, "2026-02-29", "Enter a valid date, such as 2026-11-20."),
            (.uuid, "1", "Enter a UUID: 32 digits from 0 to f, grouped as 8-4-4-4-12."),
            (.toOne(model: "Animal"), "Okapi", "Choose a record from the list."),
            (.choice(["one", "two"]), "Two", "Choose one of: one, two."),
        ] as [(PropertyType, String, String)])
    func refused(type: PropertyType, text: String, message: String) {
        let result = property("value", type).parse(text)
        guard case .failure(let problem) = result else {
            Issue.record("\(result) should be refused")
            return
        }
        #expect(problem.property == "value" && problem.message == message)
    }

    @Test(
        "Blank text is null, except for text properties",
        arguments: [
            .boolean, .integer, .double, .date, .calendarDate, .uuid, .choice(["one"]), .toOne(model: "Animal"),
        ] as [PropertyType])
    func blank(type: PropertyType) {
        #expect(property("value", type).parse(" ") == .success(.null))
    }

    @Test("An empty optional text is null, but spaces are kept")
    func optionalText() {
        let note = property("note", .string, isOptional: true)
        #expect(note.parse("") == .success(.null))
        #expect(note.parse(" ") == .success(.text(" ")))
    }

    @Test(
        "The form text of a value parses to the same value",
        arguments: [
            (.integer, .integer(-12)), (.double, .real(3)), (.double, .real(0.1)), (.double, .real(1e300)),
            (.double, .real(-2.5)),
            (.string, .text("text")), (.boolean, .integer(1)), (.calendarDate, .text("2024-02-29")),
            (.date, .text("2026-11-20T09:30:00.123Z")),
        ] as [(PropertyType, FieldValue)])
    func formText(type: PropertyType, value: FieldValue) {
        #expect(property("value", type).parse(value.formText) == .success(value))
    }
}
