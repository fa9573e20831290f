import AllTypesModel
import AviaryDomain
import Foundation
import Testing

@Suite("Parsing text of every type")
struct TypeParsingTests {
    @Test(
        "Each property parses its texts",
        arguments: [
            ("int8", " -128 ", .integer(-128)), ("uint64", "9223372036854775807", .integer(.max)),
            ("float", "0.1", .real(Double(Float(0.1)))),
            ("price", "2.5", .integer(250)), ("price", "-.5", .integer(-50)), ("mass", "1", .integer(1_000_000)),
            ("image", "SGVs\nbG8=\n", .blob(Array("Hello".utf8))), ("image", "", .blob([])), ("maybeImage", " ", .null),
            ("page", " https://example.com/a?b=c#d ", .text("https://example.com/a?b=c#d")),
            ("page", "https://example.com/a b", .text("https://example.com/a%20b")),
            ("page", "https://example.com/a%20b%25", .text("https://example.com/a%20b%25")),
            ("page", "https://example.com/é", .text("https://example.com/%C3%A9")),
            ("double", "0.1234567890123456789", .real(0.12345678901234568)), ("double", "-0.0e9", .real(0)),
            ("double", ".5", .real(0.5)),
            ("tags", #"["a\\u0000"]"#, .text(#"["a\\u0000"]"#)),
            ("grade", "7", .integer(7)), ("maybeGrade", "", .null),
            (
                "origin", "{ \"country\": \"Zaïre\", \"depths\": [1, 2.50], \"found\": null }",
                .text(#"{"country":"Zaïre","depths":[1,2.5]}"#)
            ),
            ("maybeOrigin", "", .null), ("tags", "", .text("[]")), ("maybeTags", "", .null),
            ("tags", "one\n two \n\nthree \"quoted\"", .text(#"["one","two","three \"quoted\""]"#)),
            ("tags", #"["a\nb", ""]"#, .text(#"["a\nb",""]"#)), ("sizes", "1.5\n-0.001", .text("[1.5,-0.001]")),
            ("kinds", "bone\neggShell", .text(#"["bone","eggShell"]"#)),
            ("colours", "red\ngreen\nred", .text(#"["green","red"]"#)),
            ("labels", #"[{"next":[],"text":"a","grade":7}]"#, .text(#"[{"grade":7,"next":[],"text":"a"}]"#)),
        ] as [(String, String, FieldValue)])
    func parsed(property: String, text: String, value: FieldValue) throws {
        #expect(try #require(Exhibit.schema.property(property)).parse(text) == .success(value))
    }

    @Test(
        "Each property rejects invalid text with advice",
        arguments: [
            ("int8", "128", "Enter a whole number from -128 to 127."),
            ("int8", "1.5", "Enter a whole number, such as 12."),
            ("uint8", "-1", "Enter a whole number from 0 to 255."),
            ("uint64", "9223372036854775808", "Enter a whole number from 0 to 9,223,372,036,854,775,807."),
            ("float", "1e39", "Enter a number from -3.4028235e+38 to 3.4028235e+38."),
            ("double", "-1e309", "Enter a number from -1.7976931348623157e+308 to 1.7976931348623157e+308."),
            ("float", "0.1e-45", "Enter 0 or a number further from 0. This one is too small to be saved."),
            ("double", "1e-400", "Enter 0 or a number further from 0. This one is too small to be saved."),
            ("double", "inf", "Enter a number, such as 3.75."), ("double", "0x10", "Enter a number, such as 3.75."),
            ("double", "nan", "Enter a number, such as 3.75."),
            (
                "page", "https://example.com/100%",
                "Encode special characters: a percent sign as %25, a space as %20."
            ),
            (
                "page", "https://example.com/a%20b c",
                "Encode special characters: a percent sign as %25, a space as %20."
            ),
            ("origin", #"{"country":"a\u0000","depths":[]}"#, "Remove the NUL character. It can’t be saved."),
            ("tags", #"["a\\\u0000"]"#, "Remove the NUL character. It can’t be saved."),
            ("text", "a\u{0}", "Remove the NUL character. It can’t be saved."),
            ("price", "1.005", "Enter at most 2 digits after the decimal point."),
            ("price", "1,50", "Enter a number, such as 123.45."),
            (
                "price", "99999999999999999999",
                "Enter a number from -92,233,720,368,547,758.08 to 92,233,720,368,547,758.07."
            ),
            ("image", "not Base64!", "Enter Base64, such as SGVsbG8=."),
            ("page", "example.com", "Enter a complete address, such as https://example.com/page."),
            ("page", "http://[", "Enter a complete address, such as https://example.com/page."),
            ("grade", "good", "Choose one of: -1, 0, 7."), ("grade", "1", "Choose one of: -1, 0, 7."),
            ("origin", "country", "This JSON doesn’t fit: it is not written as JSON."),
            ("origin", "{}", "This JSON doesn’t fit: country is missing."),
            (
                "label", #"{"text":"a","grade":0.5,"next":[]}"#,
                "This JSON doesn’t fit: a number is too large for its place, or has digits after the point where a whole one belongs."
            ),
            ("origin", #"{"country":7,"depths":[]}"#, "This JSON doesn’t fit: country is not a text."),
            (
                "origin", #"{"country":"x","depths":[],"colour":"red"}"#,
                "Remove “colour”. This name can’t be saved."
            ),
            (
                "label", #"{"text":"a","grade":0,"next":[{"text":"b","grade":0,"next":[],"nxt":[]}]}"#,
                "Remove “next[0].nxt”. This name can’t be saved."
            ),
            ("label", #"{"text":"a","grade":3,"next":[]}"#, "This JSON doesn’t fit: grade does not fit."),
            ("sizes", "1\n1.0001", "Line 2: Enter at most 3 digits after the decimal point."),
            ("kinds", "fur", "Line 1: Choose one of: bone, feather, eggShell."),
            ("tags", "[1]", "This JSON doesn’t fit: [0] is not a text."),
            ("labels", "a\nb", "This JSON doesn’t fit: it is not written as JSON."),
        ])
    func refused(property: String, text: String, message: String) throws {
        let result = try #require(Exhibit.schema.property(property)).parse(text)
        #expect(result == .failure(FieldProblem(property: property, message: message)))
    }

    @Test(
        "The form text of a list has one line for each element, or is JSON if lines are ambiguous",
        arguments: [
            (["a", "b c"], "a\nb c"), ([], ""), (["a", "[b]"], "a\n[b]"), (["[a]"], "[\n  \"[a]\"\n]"),
            ([""], "[\n  \"\"\n]"),
            ([" a"], "[\n  \" a\"\n]"), (["a\nb"], "[\n  \"a\\nb\"\n]"),
        ])
    func lines(tags: [String], text: String) throws {
        #expect(try #require(Exhibit.schema.property("tags")).formText(of: tags.fieldValue) == text)
    }

    @Test("The form text of JSON is indented and keeps its numbers as written")
    func indented() throws {
        let stored = FieldValue.text(#"{"country":"a\"{,:}","depths":[],"n":{"deep":12345678901234567890.0010}}"#)
        #expect(
            try #require(Exhibit.schema.property("origin")).formText(of: stored) == """
                {
                  "country": "a\\"{,:}",
                  "depths": [],
                  "n": {
                    "deep": 12345678901234567890.0010
                  }
                }
                """)
    }

    @Test("A required list needs an element, and required data needs a byte")
    func required() {
        let tags = property("tags", .array(of: .string), attributes: [.required]),
            image = property("image", .data, attributes: [.required])
        let thing = model("Thing", tags, image)
        #expect(
            thing.problems(in: ["tags": .text("[]"), "image": .blob([])]).map(\.message) == [
                "The thing needs at least one entry in “Tags”.", "The thing needs an image.",
            ])
        #expect(thing.problems(in: ["tags": .text("[1]"), "image": .blob([0])]).isEmpty)
    }

    @Test("An integer choice has the names of its cases as labels")
    func labels() throws {
        #expect(try #require(Exhibit.schema.property("maybeGrade")).choiceLabels == ["Poor", "Fair", "Good"])
        #expect(try #require(Exhibit.schema.property("kinds")).choiceLabels == ["Bone", "Feather", "Egg shell"])
    }
}

@Suite("Properties inside JSON")
struct EmbeddedPropertyTests {
    @Test("The schema gives the keys and types of a recursive struct")
    func keys() throws {
        let makeEmbedded = try #require(Exhibit.schema.property("label")?.traits.embedded)
        let embedded = makeEmbedded()
        #expect(embedded.map(\.key) == ["text", "grade", "next"])
        #expect(embedded.map(\.type.name) == ["string", "integerChoice(-1,0,7)", "array(json)"])
        #expect(embedded.first?.keyPath as? AnyKeyPath == \Exhibit.Label.text)
    }

    @Test("A type that is only Codable has no embedded properties")
    func plain() {
        #expect(Exhibit.schema.property("origin")?.embeddedProperties == nil)
    }
}
