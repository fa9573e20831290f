import Foundation
import Testing

extension ServedApplications {
    @Suite("Forms with a property of every type")
    struct SpecimenFormTests {
        @Test("Typed values are stored, shown in the list and shown in the form again")
        func addAndEdit() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                let opened = try await browser.get("/admin/specimens/new?fresh=1")
                #expect(opened.status == 200)
                var form = try Form(sheetOf: opened)
                for (name, text) in Self.typed { form[name] = text }
                form.add("isCast", "true")
                let added = try await browser.post("/admin/specimens", form)
                try #require(
                    added.status == 303,
                    "\(added.status) \(added.body.matches(of: /class="error"[^<]*<svg.*?<\/svg>([^<]*)/).map { String($0.1) })"
                )

                let list = try await browser.get("/admin/specimens").body
                for shown in [
                    "92,233,720.125", "Good", #"<a href="https://example.com/a?b=c">"#, "5 bytes", "one, two words",
                    "Poor, Good",
                    "Text: A, Place: 7", "9,223,372,036,854,775,807",
                ] {
                    #expect(list.contains(shown), "\(shown)")
                }
                let id = try #require(form["id"])
                let page = try await browser.get("/admin/specimens/\(id)?fresh=1").body
                for shown in [
                    #"value="92233720.125""#, "SGVsbG8=", "5 bytes, as Base64", #"rel="noopener noreferrer""#,
                    "one\ntwo words",
                    "{\n  &quot;country&quot;: &quot;Peru&quot;\n}", #"value="-128""#, #"value="3.1""#,
                    "2026-11-20T09:30:00.000",
                ] {
                    #expect(page.contains(shown), "\(shown)")
                }

                // Unchanged values stay the same.
                var again = try Form(sheetOf: try await browser.get("/admin/specimens/\(id)?fresh=1"))
                for (name, text) in Self.typed where name != "price" { again[name] = text }
                again["price"] = "0.001"
                again["tags"] = ""
                again["label"] = ""
                #expect(try await browser.post("/admin/specimens/\(id)", again).status == 303)
                let edited = try await browser.get("/admin/specimens").body
                #expect(edited.contains("0.001") && !edited.contains("two words") && !edited.contains("Place: 7"))
            }
        }

        @Test("An invalid value is reported beside its field and kept, and nothing is stored")
        func refused() async throws {
            try await Server.use(.extendedZoo) { server in
                let browser = Browser(server)
                for (field, text, message) in Self.refusals {
                    var form = try Form(sheetOf: try await browser.get("/admin/specimens/new?fresh=1"))
                    for (name, value) in Self.typed { form[name] = value }
                    form[field] = text
                    let answer = try await browser.post("/admin/specimens", form)
                    #expect(answer.status == 422, "\(field): \(text)")
                    let shown = Markup.unescaped(answer.body)
                    #expect(shown.contains(message), "\(field): \(text)")
                    #expect(shown.contains(text), "\(field): \(text)")
                }
                #expect(try await browser.get("/admin/specimens").body.contains("No specimens yet"))
            }
        }

        private static let refusals = [
            ("int8", "128", "Enter a whole number from -128 to 127."),
            ("uint64", "18446744073709551615", "Enter a whole number from 0 to 9,223,372,036,854,775,807."),
            ("price", "0.0001", "Enter at most 3 digits after the decimal point."),
            ("page", "example", "Enter a complete address, such as https://example.com/page."),
            ("image", "?", "Enter Base64, such as SGVsbG8=."),
            ("label", "{}", "This JSON doesn’t fit: text is missing."),
            ("label", #"{"text":"A","shelf":1}"#, "Remove “shelf”. This name can’t be saved."),
            ("grades", "1\n9", "Line 2: Choose one of: 1, 2, 3."),
        ]

        private static let typed: KeyValuePairs<String, String> = [
            "name": "Skull", "int": "-9223372036854775808", "int8": "-128", "int16": "32767", "int32": "-2147483648",
            "int64": "0",
            "uint": "9223372036854775807", "uint8": "255", "uint16": "65535", "uint32": "4294967295",
            "uint64": "9223372036854775807",
            "weight": "1e300", "density": "3.1", "price": "92233720.125", "found": "2026-11-20T09:30",
            "day": "2024-02-29",
            "key": "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "image": "SGVs\r\nbG8=", "page": "https://example.com/a?b=c",
            "kind": "eggShell",
            "grade": "3", "origin": #"{"country": "Peru"}"#, "label": #"{"text":"A","place":7}"#,
            "tags": "one\r\ntwo words",
            "prices": "1.5\r\n2", "grades": "1\r\n3", "colours": "red\r\ngreen", "parent": "",
        ]
    }
}
