import AviaryDomain
import Testing

@Suite("Formatting text in English")
struct TextFormatterTests {
    @Test(
        "A name splits where its case changes",
        arguments: [
            ("animal", ["animal"]), ("animalCategory", ["animal", "Category"]),
            ("AnimalCategory", ["Animal", "Category"]),
            ("URLHandler", ["URL", "Handler"]), ("bodyMassKG", ["body", "Mass", "KG"]),
            ("snake_case", ["snake", "case"]),
            ("_hidden", ["hidden"]), ("address2", ["address2"]), ("Ärzte", ["Ärzte"]), ("", []), ("ID", ["ID"]),
        ] as [(String, [String])])
    func split(name: String, words: [String]) {
        #expect(TextFormatter.split(name) == words)
    }

    @Test(
        "Plurals are regular",
        arguments: [
            ("animal", "animals"), ("category", "categories"), ("day", "days"), ("box", "boxes"), ("class", "classes"),
            ("branch", "branches"), ("dish", "dishes"), ("animal category", "animal categories"),
        ])
    func plural(word: String, plural: String) {
        #expect(TextFormatter.plural(word) == plural)
    }

    @Test(
        "A word that begins with a vowel takes \"an\", and any other word \"a\"",
        arguments: [("name", "a name"), ("age", "an age"), ("Order", "an Order"), ("", "a ")])
    func article(word: String, phrase: String) {
        #expect(TextFormatter.withArticle(word) == phrase)
    }

    @Test(
        "Thousands are grouped",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (12_408, "12,408"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
            (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func grouped(number: Int, text: String) {
        #expect(TextFormatter.grouped(number) == text)
    }

    @Test(
        "a whole number that may be a year is not grouped, any other number is",
        arguments: [
            ("1999", "1999"), ("100000", "100,000"), ("2540.0", "2,540.0"), ("100000.0", "100,000.0"),
            ("-2540.25", "-2,540.25"), ("0.5", "0.5"),
        ])
    func number(text: String, shown: String) {
        #expect(TextFormatter.number(text) == shown)
    }

    @Test("A list has commas and a final \"and\"")
    func list() {
        #expect(TextFormatter.list([]) == "")
        #expect(TextFormatter.list(["a"]) == "a")
        #expect(TextFormatter.list(["a", "b"]) == "a and b")
        #expect(TextFormatter.list(["a", "b", "c"]) == "a, b and c")
    }

    @Test(
        "A quoted name that contains right-to-left text is isolated, without direction controls",
        arguments: [
            ("Kea", "“Kea”"), ("Käuzchen “Ü” 鷹 🦜", "“Käuzchen “Ü” 鷹 🦜”"), ("", "“”"),
            ("שלום", "“\u{2068}שלום\u{2069}”"),
            ("Kea مرحبا", "“\u{2068}Kea مرحبا\u{2069}”"),
            // An override stays within the name, as it does in a list.
            ("gnp\u{202E}exe", "“\u{2068}gnp\u{202E}exe\u{2069}”"),
            ("\u{2066}\u{202A}Kea\u{202C}\u{2069}", "“\u{2068}\u{2066}\u{202A}Kea\u{202C}\u{2069}\u{2069}”"),
            // An end too many would end the isolation of the name, and a missing one would end it too late.
            ("שלום\u{2069}\u{202E}gnp", "“\u{2068}שלום\u{202E}gnp\u{2069}”"),
            ("Kea\u{2067}\u{2068}", "“\u{2068}Kea\u{2067}\u{2068}\u{2069}\u{2069}\u{2069}”"),
        ])
    func direction(name: String, quoted: String) {
        #expect(TextFormatter.quoted(name) == quoted)
    }
}

@Suite("Names of a model")
struct NamingTests {
    private let category = AnimalCategory.schema

    @Test("A model has a title, a name in sentences, a heading and a URL component")
    func names() {
        #expect(category.titleName == "Animal category")
        #expect(category.singularName == "animal category")
        #expect(category.pluralName == "animal categories")
        #expect(category.pluralTitle == "Animal categories")
        #expect(category.slug == "animal-categories")
    }

    @Test("The count 1 takes the singular, and any other count the plural")
    func counted() {
        #expect(category.counted(1) == "1 animal category")
        #expect(category.counted(0) == "0 animal categories")
        #expect(category.counted(12_408) == "12,408 animal categories")
    }

    @Test(
        "The label of a property consists of its words",
        arguments: [("clutchSize", "Clutch size"), ("name", "Name"), ("isBN", "Is bn")])
    func label(name: String, label: String) {
        #expect(property(name, .string).label == label)
    }
}

@Suite("Formatting sizes")
struct SizeTests {
    @Test(
        "A byte count is formatted in a suitable unit after a space that does not break",
        arguments: [
            (0, "0\u{A0}B"), (1023, "1023\u{A0}B"), (1024, "1.0\u{A0}KiB"), (1536, "1.5\u{A0}KiB"),
            (10_239, "10\u{A0}KiB"), (1_048_575, "1.0\u{A0}MiB"),
            (52_428_800, "50\u{A0}MiB"), (3_221_225_472, "3.0\u{A0}GiB"),
        ])
    func size(bytes: Int, text: String) {
        #expect(TextFormatter.size(bytes) == text)
    }
}
