import Foundation
import Testing

@testable import AviaryDomain

@Suite("Texts without case and accents")
struct FoldedTextTests {
    @Test(
        "Case and accents are gone, in whatever way they were written",
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
        "What is no accent stays: vowels of scripts that are written as marks, digits, signs, emoji",
        arguments: ["हिन्दी", "العربية", "日本語が", "100% \"a\"", "🏳️‍🌈"])
    func kept(text: String) {
        #expect(text.containsFolded(text))
        #expect(!text.folded.isEmpty)
        if text == "हिन्दी" { #expect(!text.containsFolded("हनद")) }
    }

    @Test("Folding what is folded changes nothing, of every character")
    func idempotent() {
        for value in 0...0x2FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = String(Character(scalar)).folded
            if !folded.folded.utf8.elementsEqual(folded.utf8) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test("A NUL and what is no character become one that is none, so that no index ends there")
    func nothing() {
        #expect("a\u{0}b".folded == "a\u{FFFD}b")
        #expect("\u{FFFF}".folded == "\u{FFFD}")
    }

    @Test("A predicate says the same in memory")
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

@Suite("Spellings of a text that is looked for")
struct SpellingsTests {
    @Test("A text without marks has one, its own", arguments: ["", "Okapi", "Éléphant 12"])
    func plain(text: String) {
        #expect(text.spellings == [text])
    }

    @Test("Its own comes first, then those with other apostrophes, quotes and dashes")
    func marks() {
        #expect("O’B".spellings == ["O’B", "O'B", "O‘B", "OʼB", "O´B", "O`B"])
        #expect("\"a".spellings == ["\"a", "“a", "”a", "„a"])
        #expect(Set("a-b".spellings) == ["a-b", "a‐b", "a\u{2011}b", "a–b", "a—b", "a−b"])
        #expect("'n'".spellings.contains("‘n’") && "'n'".spellings.contains("’n’"))
    }

    @Test("What is a spelling of a text has the text as one of its own")
    func symmetric() {
        for spelling in "“d'Arcy".spellings { #expect(spelling.spellings.contains("“d'Arcy")) }
    }

    @Test("However many marks somebody types, they are so many questions that a store can answer them")
    func bounded() {
        let spellings = String(repeating: "-'\"", count: 60).spellings
        #expect(spellings.count <= 36 && Set(spellings).count == spellings.count)
    }
}
