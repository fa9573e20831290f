import Testing

@Suite("Masking of random values on pages")
struct MarkupTests {
    @Test("UUIDs, tokens and long hexadecimal numbers are masked")
    func random() {
        let id = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", token = "Zm9vYmFyYmF6cXV4-_9vYmFyYmF6cXV4Zm9vYmFy"
        #expect(Markup.masked("/admin/animals/\(id)?x=1") == "/admin/animals/…?x=1")
        #expect(Markup.masked("<tr id=\"row-\(id)\">") == "<tr id=\"…\">")
        #expect(Markup.masked("content=\"\(token)\"") == "content=\"…\"")
        #expect(Markup.masked("Reference 0123456789abcdef01234567") == "Reference …")
    }

    @Test(
        "Words, dates, numbers and long texts are not masked",
        arguments: [
            "2026-11-20T09:30:00.000", "18446744073709551615", "978-0141439518", "SGVsbG8=",
            String(repeating: "x", count: 201), "autocomplete-one-time-code-of-the-visitor", "",
        ])
    func words(text: String) {
        #expect(Markup.masked(text) == text)
    }
}
