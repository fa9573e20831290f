import AviaryDomain
import Testing

@Suite("Texts of files in a terminal")
struct PrintableTextTests {
    @Test(
        "What controls a terminal or turns around what is read is shown, not obeyed",
        arguments: [
            ("a\u{1B}[2K\r", #"a\u{1B}[2K\u{D}"#), ("a\nb", #"a\u{A}b"#), ("a\r\nb", #"a\u{D}\u{A}b"#),
            ("\u{9B}2K", #"\u{9B}2K"#), ("\u{7F}", #"\u{7F}"#),
            ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("\u{202E}\u{2066}\u{200F}", #"\u{202E}\u{2066}\u{200F}"#),
        ])
    func escaped(text: String, shown: String) {
        #expect(text.printable == shown)
        #expect(text.hasControlCharacters)
    }

    @Test("Every other text stays as it is", arguments: ["", "Ada Lovelace", "Žofie 🦜 日本", "\\u{1B}", "👩‍👩‍👧"])
    func same(text: String) {
        #expect(text.printable == text)
        #expect(!text.hasControlCharacters)
    }

    @Test("The lines of a text of several stay lines")
    func lines() {
        #expect("one\n\ttwo\u{1B}[A".printableLines == "one\n\ttwo\\u{1B}[A")
    }
}
