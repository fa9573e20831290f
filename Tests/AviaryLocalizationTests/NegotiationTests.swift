import AviaryLocalization
import Testing

@Suite("A browser gets the language that it asks for")
struct NegotiationTests {
    private let languages = [Language.english, .german, Language("pt-BR", name: "Português", phrases: [:])]

    @Test(
        "the one of the greatest weight that there is",
        arguments: [
            ("de", "de"), ("de-AT, en;q=0.8", "de"), ("fr, de;q=0.5, en;q=0.7", "en"),
            ("en-US,en;q=0.9,de;q=0.8", "en"),
            ("pt", "pt-BR"), ("PT-br", "pt-BR"), ("de;q=0, en;q=0.1", "en"), ("de ; q=0.9 , en;q=0.1", "de"),
        ])
    func chosen(header: String, code: String) {
        #expect(Language.preferred(by: header, of: languages)?.code == code)
    }

    @Test("none where it names none of them", arguments: ["", "*", "fr", ";;;,,,", "-", "q=1", "de;q=-1", "de;q=nan"])
    func none(header: String) {
        #expect(Language.preferred(by: header, of: languages)?.code == nil)
    }
}
