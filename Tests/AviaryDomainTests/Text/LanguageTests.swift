import AviaryDomain
import Foundation
import Testing

@Suite("Language of dates, numbers and names")
struct LanguageTests {
    private let german = Language.german.adding([
        "animal category": "Tierkategorie", "animal categories": "Tierkategorien", "Clutch size": "Gelegegröße",
    ])

    @Test("A date is formatted with the name of its month")
    func dates() async {
        await german.use {
            #expect(DateTextFormatter.day("2026-11-20") == "20. Nov. 2026")
            #expect(DateTextFormatter.day("1815-03-02") == "2. März 1815")
            #expect(DateTextFormatter.dateAndTime("2026-11-20T18:39:55.123Z") == "20. Nov. 2026, 18:39 UTC")
            #expect(DateTextFormatter.day("not a date") == "not a date")
        }
    }

    @Test(
        "An age uses the plural form that its number requires",
        arguments: [
            (10, "gerade eben"), (60, "vor 1 Minute"), (7200, "vor 2 Stunden"), (86_400, "vor 1 Tag"),
            (864_000, "vor 10 Tagen"),
        ])
    func ages(seconds: Int, text: String) async {
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        await german.use {
            #expect(DateTextFormatter.age(of: now.addingTimeInterval(-Double(seconds)), at: now) == text)
        }
    }

    @Test("Numbers and lists are formatted in German")
    func numbers() async {
        await german.use {
            #expect(TextFormatter.grouped(1_234_567) == "1.234.567")
            #expect(TextFormatter.grouped("-12408.75") == "-12.408,75")
            #expect(TextFormatter.list(["a", "b", "c"]) == "a, b und c")
        }
    }

    @Test("A model and its fields use the translations of the application, or else their own names")
    func names() async {
        await german.use {
            let category = AnimalCategory.schema
            #expect(category.counted(1) == "1 Tierkategorie")
            #expect(category.counted(2) == "2 Tierkategorien")
            #expect(category.titleName == "Tierkategorie")
            #expect(category.slug == "animal-categories", "an address is the same for everybody")
            #expect(property("clutchSize", .integer).label == "Gelegegröße")
            #expect(property("clutchSize", .integer).labelInSentence == "Gelegegröße", "a noun keeps its capital")
            #expect(property("wingSpan", .integer).label == "Wing span")
        }
    }

    @Test("A typed decimal comma is accepted only in a language that uses it")
    func typedComma() async {
        let price = property("price", .decimal(scale: 2))
        await german.use {
            #expect(price.parse(typed: "2,5") == .success(.integer(250)))
            #expect(price.parse(typed: "2.5") == .success(.integer(250)))
            #expect(throws: FieldProblem.self) { try price.parse(typed: "1.234,5").get() }
            #expect(throws: FieldProblem.self, "a file's text is no typed one") { try price.parse("2,5").get() }
        }
        #expect(throws: FieldProblem.self) { try price.parse(typed: "2,5").get() }
    }

    @Test("A field problem is reported in the language in use")
    func problems() async {
        await german.use {
            #expect(
                AnimalCategory.schema.problems(in: ["name": .text("")]).map(\.message) == [
                    "Tierkategorie: Name angeben."
                ])
        }
        #expect(
            AnimalCategory.schema.problems(in: ["name": .text("")]).map(\.message) == [
                "The animal category needs a name."
            ])
    }
}
