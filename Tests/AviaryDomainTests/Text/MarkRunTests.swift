import AviaryDomain
import Testing

@Suite("Limits on combining marks and form fields")
struct MarkRunTests {
    private func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    @Test("A letter can have up to 128 combining marks")
    func allowed() {
        #expect(!("a" + marks(128)).hasLongMarkRun)
        #expect(!String(repeating: "a" + marks(100), count: 1000).hasLongMarkRun)
        #expect(!String(repeating: "漢字 ", count: 10_000).hasLongMarkRun)
    }

    @Test("A form with a longer run of marks in a name or a value is rejected", arguments: [129, 100_000])
    func refused(count: Int) throws {
        #expect(("a" + marks(count)).hasLongMarkRun)
        for body in ["csr" + marks(count) + "=1", "name=a" + marks(count)] {
            #expect(throws: FormEncoding.Malformed.self) { try FormEncoding.decode(body.utf8) }
        }
    }

    @Test("Two alternating marks form one run")
    func alternating() {
        #expect(("a" + String(repeating: "\u{301}\u{316}", count: 65)).hasLongMarkRun)
    }

    @Test("A form with too many fields or too long a name is rejected")
    func sizes() throws {
        #expect(throws: FormEncoding.Malformed.self) {
            try FormEncoding.decode(String(repeating: "a=1&", count: 10_001).utf8)
        }
        #expect(throws: FormEncoding.Malformed.self) {
            try FormEncoding.decode((String(repeating: "a", count: 301) + "=1").utf8)
        }
        #expect(try FormEncoding.decode((String(repeating: "a", count: 300) + "=1").utf8).count == 1)
    }

    @Test("A form field is looked up by the bytes of its name")
    func names() throws {
        let fields = try FormEncoding.decode("caf%C3%A9=1&cafe%CC%81=2".utf8)
        #expect(fields.value("caf\u{E9}") == "1" && fields.value("cafe\u{301}") == "2")
    }
}

@Suite("Text for a terminal")
struct PrintableTextTests {
    @Test(
        "Control characters and direction overrides are escaped",
        arguments: [
            ("a\u{1B}[2K\r", #"a\u{1B}[2K\u{D}"#), ("a\nb", #"a\u{A}b"#), ("a\r\nb", #"a\u{D}\u{A}b"#),
            ("\u{9B}2K", #"\u{9B}2K"#), ("\u{7F}", #"\u{7F}"#),
            ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("\u{202E}\u{2066}\u{200F}", #"\u{202E}\u{2066}\u{200F}"#),
        ])
    func escaped(text: String, shown: String) {
        #expect(text.printable == shown)
        #expect(text.hasControlCharacters)
    }

    @Test("Other text stays unchanged", arguments: ["", "Ada Lovelace", "Žofie 🦜 日本", "\\u{1B}", "👩‍👩‍👧"])
    func same(text: String) {
        #expect(text.printable == text)
        #expect(!text.hasControlCharacters)
    }

    @Test("Multiline text keeps its line breaks and tabs")
    func lines() {
        #expect("one\n\ttwo\u{1B}[A".printableLines == "one\n\ttwo\\u{1B}[A")
    }
}
