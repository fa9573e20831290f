import AviaryLocalization
import TestSupport
import Testing

@Suite("The catalogue of translations")
struct CatalogueTests {
    /// The keys of the catalogue that do not occur as phrases in the code: names of roles, of the models that every
    /// application has, of the systems of browsers, and of authors that are not persons.
    private static let names: Set<String> = [
        "viewer", "editor", "admin", "an iPhone", "an iPad", "a Mac", "account", "accounts", "Created at",
        "command line", "rebuilt by repair", "the server",
    ]

    private static let scans = Task<[(path: String, scan: PhraseScan)], any Error> {
        let files = try SourceTree.swiftFiles(below: "Sources")
        // The zoo is an application, which brings the translations of its own words.
        let others: Set = ["AviaryLocalization", "Zoo"]
        let ours = files.filter { !others.contains($0.target) && $0.mentions(["localized("]) }
        return await onThread { ours.map { ($0.path, PhraseScan($0.text)) } }
    }

    private static let scripts: Set<String> = {
        let names = (try? SourceTree.files(in: "Public/js")) ?? []
        let texts = names.filter { $0 != "text.js" }.compactMap { try? SourceTree.text(of: "Public/js/\($0)") }
        return Set(texts.flatMap { $0.matches(of: /localized\("((?:[^"\\]|\\.)*)"/).map { String($0.1) } })
    }()

    private static func phrases() async throws -> Set<FoundPhrase> {
        Set(try await scans.value.flatMap(\.scan.phrases)).union(scripts.map { FoundPhrase(key: $0, isPlural: false) })
    }

    @Test("Every lookup has a literal phrase")
    func readable() async throws {
        let scans = try await Self.scans.value
        #expect(scans.count > 100)
        #expect(scans.filter { !$0.scan.unreadable.isEmpty }.map { "\($0.path): \($0.scan.unreadable)" } == [])
    }

    @Test("German has every phrase of the program")
    func complete() async throws {
        let missing = try await Self.phrases().map(\.key).filter { Language.german.catalogue[$0] == nil }
        #expect(missing.sorted() == [])
    }

    @Test("German has no unused phrase")
    func nothingElse() async throws {
        let known = Set(try await Self.phrases().map(\.key)).union(Self.names)
        #expect(Language.german.catalogue.keys.filter { !known.contains($0) }.sorted() == [])
    }

    @Test("German has plural forms for exactly the phrases that depend on a number")
    func forms() async throws {
        let plurals = Set(try await Self.phrases().filter(\.isPlural).map(\.key))
        for (key, translation) in Language.german.catalogue {
            if case .forms(let forms) = translation {
                #expect(plurals.contains(key), "\(key)")
                #expect(Set(forms.keys) == ["one", "other"], "\(key)")
            } else {
                #expect(!plurals.contains(key), "\(key)")
            }
        }
    }

    @Test("A translation has the same placeholders as its phrase, except in the singular")
    func places() {
        for (key, translation) in Language.german.catalogue {
            let places = Template.places(in: key)
            for text in translation.texts {
                let isOne = if case .forms(let forms) = translation { forms["one"] == text } else { false }
                let own = Template.places(in: text)
                #expect(own == places || isOne && Set(own).isSubset(of: places), "\(key)")
                #expect(!text.isEmpty && text.first?.isWhitespace == key.first?.isWhitespace, "\(key)")
            }
        }
    }

    @Test("Scripts receive exactly the phrases that they use")
    func scriptWords() throws {
        let words = try SourceTree.text(of: "Sources/AviaryDesign/Page/PageLayout.swift")
        let given = Set(words.matches(of: /(?m)^        "((?:[^"\\]|\\.)*)",$/).map { String($0.1) })
        #expect(given == Self.scripts)
        #expect(Self.scripts.count > 10)
    }

    @Test("The scanner finds nested and escaped phrases, and reports a phrase that is not a literal")
    func planted() {
        let scan = PhraseScan(
            #"""
            let a = localized("Delete “\(title.map { "“\($0)”" } ?? localized("this"))”?")
            let b = localized(count, one: "1 step", other: "\(count) steps")
            let c = localized(isNew ? "Add" : "Edit")
            let d = localized("a \"quoted\" word")
            """#)
        #expect(
            scan.phrases == [
                FoundPhrase(key: "Delete “%@”?", isPlural: false), FoundPhrase(key: "this", isPlural: false),
                FoundPhrase(key: "%@ steps", isPlural: true), FoundPhrase(key: #"a "quoted" word"#, isPlural: false),
            ])
        #expect(scan.unreadable == [3])
    }
}
