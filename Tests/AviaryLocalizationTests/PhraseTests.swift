import AviaryLocalization
import Testing

@Suite("Translated phrases")
struct PhraseTests {
    private let language = Language(
        "xx", name: "Test", decimalSeparator: ",", groupingSeparator: ".",
        phrases: [
            "Overview": "Übersicht", "Delete “%@”?": "„%@“ löschen?", "%@ of %@": "von %2$@ sind es %1$@",
            "%@ steps": .forms(["one": "%@ Schritt", "other": "%@ Schritte"]),
        ])

    @Test("Without a language, a phrase is unchanged")
    func english() {
        let title = "100 % %@"
        #expect(localized("Overview") == "Overview")
        #expect(localized("Delete “\(title)”?") == "Delete “100 % %@”?")
        #expect(localized("\(12_408) of \(3)") == "12,408 of 3")
        #expect(localized(1, one: "1 step", other: "\(1) steps") == "1 step")
        #expect(localized(2, one: "1 step", other: "\(2) steps") == "2 steps")
    }

    @Test("A phrase is translated, with its arguments in the order of the language")
    func translated() async {
        await language.use {
            #expect(localized("Overview") == "Übersicht")
            #expect(localized("Delete “\("Kea")”?") == "„Kea“ löschen?")
            #expect(localized("\(12_408) of \("many")") == "von many sind es 12.408")
        }
    }

    @Test("An argument that resembles a placeholder is inserted unchanged")
    func hostileParts() async {
        await language.use {
            #expect(localized("Delete “\("%@ %1$@ %")”?") == "„%@ %1$@ %“ löschen?")
            #expect(localized("\("%2$@") of \("%1$@")") == "von %1$@ sind es %2$@")
        }
    }

    @Test(
        "The plural form depends on the number",
        arguments: [(0, "0 Schritte"), (1, "1 Schritt"), (1200, "1.200 Schritte")])
    func plural(count: Int, text: String) async {
        await language.use {
            #expect(localized(count, one: "1 step", other: "\(count) steps") == text)
        }
    }

    @Test("A missing phrase stays English, with English plural forms")
    func missing() async {
        await language.use {
            #expect(localized("Activity") == "Activity")
            #expect(localized(1, one: "1 day", other: "\(1) days") == "1 day")
            #expect(localized(2, one: "1 day", other: "\(2) days") == "2 days")
        }
    }

    @Test("A language applies only within its scope")
    func scope() async {
        await language.use {
            await Language.english.use { #expect(localized("Overview") == "Overview") }
            #expect(localized("Overview") == "Übersicht")
        }
        #expect(localized("Overview") == "Overview")
        #expect(Language.current == nil)
    }

    @Test("Phrases of the application take precedence")
    func adding() async {
        await language.adding(["Overview": "Überblick"]).use { #expect(localized("Overview") == "Überblick") }
    }

    @Test("The pseudolanguage marks translated text, but not the arguments")
    func pseudo() async {
        await Language.pseudo.use {
            #expect(localized("Overview") == "⟦Overview⟧")
            #expect(localized("Delete “\("Kea")”?") == "⟦Delete “⟧Kea”?")
        }
    }
}

@Suite("Choosing a language for a browser")
struct NegotiationTests {
    private let languages = [Language.english, .german, Language("pt-BR", name: "Português", phrases: [:])]

    @Test(
        "The supported language with the greatest weight is chosen",
        arguments: [
            ("de", "de"), ("de-AT, en;q=0.8", "de"), ("fr, de;q=0.5, en;q=0.7", "en"),
            ("en-US,en;q=0.9,de;q=0.8", "en"),
            ("pt", "pt-BR"), ("PT-br", "pt-BR"), ("de;q=0, en;q=0.1", "en"), ("de ; q=0.9 , en;q=0.1", "de"),
        ])
    func chosen(header: String, code: String) {
        #expect(Language.preferred(by: header, of: languages)?.code == code)
    }

    @Test(
        "An unsupported or invalid header chooses no language",
        arguments: ["", "*", "fr", ";;;,,,", "-", "q=1", "de;q=-1", "de;q=nan"])
    func none(header: String) {
        #expect(Language.preferred(by: header, of: languages)?.code == nil)
    }
}
