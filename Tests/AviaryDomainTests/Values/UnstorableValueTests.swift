import AllTypesModel
import AviaryDomain
import Foundation
import Testing

@Suite("Values that a column cannot hold")
struct UnstorableValueTests {
    private static let tooLarge = "Enter a whole number from 0 to 9,223,372,036,854,775,807."
    private static let noJSON =
        "This value can’t be saved as JSON. Check for infinite numbers, "
        + "years after 9999 and numbers with too many digits."

    @Test("An unsigned integer above the signed 64-bit range is rejected", arguments: [UInt64(Int64.max) + 1, .max])
    func unsigned(number: UInt64) {
        #expect(problems { $0.uint64 = number } == ["uint64": Self.tooLarge])
        #expect(problems { $0.uint = UInt(number) } == ["uint": Self.tooLarge])
    }

    @Test(
        "A date outside the years 0 to 9999 is rejected",
        arguments: [
            Date.distantFuture.addingTimeInterval(1e12), Date(timeIntervalSince1970: -1e11),
            Date(timeIntervalSince1970: .infinity),
        ])
    func date(date: Date) {
        let message = "Enter a date in the years 0 to 9999."
        #expect(problems { $0.found = date } == ["found": message])
        #expect(problems { $0.maybeFound = date } == ["maybeFound": message])
    }

    @Test(
        "A decimal with too many digits is rejected rather than rounded",
        arguments: [
            ("1.005", "Enter at most 2 digits after the decimal point."),
            ("-0.001", "Enter at most 2 digits after the decimal point."),
            ("92233720368547758.08", "Enter a number from -92,233,720,368,547,758.08 to 92,233,720,368,547,758.07."),
            ("1e30", "Enter a number from -92,233,720,368,547,758.08 to 92,233,720,368,547,758.07."),
            ("NaN", "Enter a number, such as 123.45."),
        ])
    func decimal(text: String, message: String) throws {
        let number = try #require(text == "NaN" ? .nan : Decimal(string: text))
        #expect(problems { $0.price = number } == ["price": message])
        #expect(problems { $0.maybePrice = number } == ["maybePrice": message])
    }

    @Test("Infinity and NaN are rejected", arguments: [Double.infinity, -.infinity, .nan])
    func infinite(number: Double) {
        #expect(problems { $0.double = number } == ["double": "This value doesn’t fit the field."])
        #expect(problems { $0.float = Float(number) } == ["float": "This value doesn’t fit the field."])
    }

    @Test("Data above the size limit is rejected")
    func data() {
        let bytes = Data(count: PropertyType.longestData + 1)
        let message = "Choose something smaller, at most 65,536 bytes."
        #expect(problems { $0.image = bytes } == ["image": message])
        #expect(problems { $0.maybeImage = bytes } == ["maybeImage": message])
        #expect(problems { $0.image = bytes.dropLast() }.isEmpty)
    }

    @Test("JSON with an infinite number or an invalid date is rejected")
    func json() {
        #expect(problems { $0.origin.depths = [1, .nan] } == ["origin": Self.noJSON])
        #expect(
            problems { $0.maybeOrigin = Exhibit.Origin(country: "", depths: [.infinity]) } == [
                "maybeOrigin": Self.noJSON
            ])
        #expect(problems { $0.origin.found = Date(timeIntervalSince1970: 1e12) } == ["origin": Self.noJSON])
    }

    @Test("A NUL character is rejected in text and inside JSON")
    func nul() {
        let message = "Remove the NUL character. It can’t be saved."
        #expect(problems { $0.text = "a\u{0}b" } == ["text": message])
        #expect(problems { $0.origin.country = "a\u{0}b" } == ["origin": message])
        #expect(problems { $0.origin.country = #"a\u0000"# }.isEmpty)
    }

    @Test("A list with an unstorable element is rejected")
    func list() throws {
        let fine = try #require(Decimal(string: "0.0001"))
        #expect(
            problems { $0.sizes = [1, fine] } == [
                "sizes":
                    "An entry can’t be saved. Enter numbers of at most 18 digits, with at most 3 after the decimal point."
            ])
    }

    @Test("JSON that is too long is rejected")
    func longJSON() {
        let text = String(repeating: "a", count: PropertySchema.longestText)
        #expect(
            problems { $0.label.text = text } == ["label": "Shorten this text to at most 1,000,000 bytes."])
    }

    private func problems(_ change: (inout Exhibit) -> Void) -> [String: String] {
        var exhibit = Exhibit()
        change(&exhibit)
        return Dictionary(
            uniqueKeysWithValues: Exhibit.schema.problems(in: exhibit.fieldValues).map { ($0.property, $0.message) })
    }
}

@Suite("Stored values that do not fit their type")
struct UnreadableValueTests {
    @Test(
        "An unreadable value throws an error that names the model and the property",
        arguments: [
            ("int8", .integer(128), "Exhibit.int8: The stored value is not a whole number that Int8 holds."),
            ("uint", .integer(-1), "Exhibit.uint: The stored value is not a whole number that UInt holds."),
            ("float", .real(0.1), "Exhibit.float: The stored value is not a number of single precision."),
            ("price", .text("1.50"), "Exhibit.price: The stored value is not a decimal number."),
            ("image", .text("AA=="), "Exhibit.image: The stored value is not bytes."),
            ("page", .text("a b"), "Exhibit.page: The stored value is not an address."),
            ("kind", .text("Bone"), "Exhibit.kind: The stored value is not one of the choices."),
            ("grade", .integer(1), "Exhibit.grade: The stored value is not one of the choices."),
            ("grade", .text("good"), "Exhibit.grade: The stored value is not a choice."),
            ("origin", .text("{"), "Exhibit.origin: The stored JSON is no Origin: it is not written as JSON."),
            ("origin", .text(#"{"depths":[]}"#), "Exhibit.origin: The stored JSON is no Origin: country is missing."),
            (
                "origin", .text(#"{"country":"x","depths":[1,"secret"]}"#),
                "Exhibit.origin: The stored JSON is no Origin: depths[1] is not a number."
            ),
            ("origin", .null, "Exhibit.origin: The stored value is not a text of JSON."),
            (
                "label", .text(#"{"text":1,"grade":0,"next":[]}"#),
                "Exhibit.label: The stored JSON is no Label: text is not a text."
            ),
            ("tags", .text("{}"), "Exhibit.tags: The stored JSON is no Array<String>: the whole is not a list."),
            ("kinds", .text(#"["fur"]"#), "Exhibit.kinds: The stored JSON is no Array<Kind>: [0] does not fit."),
            ("maybeLabel", .blob([1]), "Exhibit.maybeLabel: The stored value is not a text of JSON."),
        ] as [(String, FieldValue, String)])
    func message(property: String, value: FieldValue, message: String) throws {
        var values = Exhibit.schema.storedProperties.map { Exhibit().fieldValues[$0.name] ?? .null }
        values[try #require(Exhibit.schema.storedIndex(of: property))] = value
        var reader = FieldReader(Record(id: .version7(), version: 1, values: values), of: Exhibit.self)
        let error = #expect(throws: FieldValueError.self) { try Exhibit(from: &reader) }
        #expect(error?.description == message)
    }
}
