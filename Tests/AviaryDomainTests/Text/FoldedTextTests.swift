import Foundation
import Testing

@testable import AviaryDomain

@Suite("Folding case and accents")
struct FoldedTextTests {
    @Test(
        "Folding removes case and accents in any Unicode form",
        arguments: [
            ("Éléphant", "elephant"), ("E\u{301}le\u{301}phant", "elephant"), ("ÅNGSTRÖM", "angstrom"),
            ("\u{212B}", "a"), ("Straße", "strasse"),
            ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("σίσυφος", "σισυφοσ"), ("İstanbul", "istanbul"), ("ſ", "s"), ("ﬁn", "fin"),
            ("Ǆ", "ǆ"), ("Ёлка", "елка"), ("", ""),
        ])
    func folded(text: String, folded: String) {
        #expect(Array(text.folded.utf8) == Array(folded.folded.utf8))
        #expect(text.containsFolded(folded))
    }

    @Test(
        "Folding keeps vowel signs, digits, symbols and emoji",
        arguments: ["हिन्दी", "العربية", "日本語が", "100% \"a\"", "🏳️‍🌈"])
    func kept(text: String) {
        #expect(text.containsFolded(text))
        #expect(!text.folded.isEmpty)
        if text == "हिन्दी" { #expect(!text.containsFolded("हनद")) }
    }

    @Test("Folding is idempotent for every character")
    func idempotent() {
        for value in 0...0x2FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = String(Character(scalar)).folded
            if !folded.folded.utf8.elementsEqual(folded.utf8) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test("Folding replaces NUL and noncharacters, so that no index ends there")
    func nothing() {
        #expect("a\u{0}b".folded == "a\u{FFFD}b")
        #expect("\u{FFFF}".folded == "\u{FFFD}")
    }

    @Test("A folded search in a predicate gives the same result in memory")
    func evaluated() throws {
        let part = "OKÀ"
        let predicate = #Predicate<Animal> {
            $0.name.localizedStandardContains(part) && !$0.name.localizedStandardContains("x")
        }
        #expect(try predicate.evaluate(Animal(name: "the okapi")))
        #expect(try !predicate.evaluate(Animal(name: "an okapi, extinct")))
        #expect(try !predicate.evaluate(Animal(name: "kea")))
        let empty = #Predicate<Animal> { $0.name.localizedStandardContains("") }
        #expect(try empty.evaluate(Animal(name: "")))
    }
}

@Suite("Alternative spellings of a search text")
struct SpellingsTests {
    @Test("A text without punctuation marks has one spelling", arguments: ["", "Okapi", "Éléphant 12"])
    func plain(text: String) {
        #expect(text.spellings == [text])
    }

    @Test("The text itself comes first, then variants of apostrophes, quotation marks and dashes")
    func marks() {
        #expect("O’B".spellings == ["O’B", "O'B", "O‘B", "OʼB", "O´B", "O`B"])
        #expect("\"a".spellings == ["\"a", "“a", "”a", "„a"])
        #expect(Set("a-b".spellings) == ["a-b", "a‐b", "a\u{2011}b", "a–b", "a—b", "a−b"])
        #expect("'n'".spellings.contains("‘n’") && "'n'".spellings.contains("’n’"))
    }

    @Test("Each spelling of a text has the text among its own spellings")
    func symmetric() {
        for spelling in "“d'Arcy".spellings { #expect(spelling.spellings.contains("“d'Arcy")) }
    }

    @Test("The number of spellings is bounded, however many marks the text contains")
    func bounded() {
        let spellings = String(repeating: "-'\"", count: 60).spellings
        #expect(spellings.count <= 36 && Set(spellings).count == spellings.count)
    }
}
