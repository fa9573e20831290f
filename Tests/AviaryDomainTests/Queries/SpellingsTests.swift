import Testing

@testable import AviaryDomain

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
