import Testing

@Suite("Diagnostics of @Attribute options")
struct AttributeDiagnosticsTests {
    @Test(
        "Valid options are accepted",
        arguments: [
            "@Attribute(.unique, .required, .indexed, .length(1...80)) var name: String",
            "@Attribute(.secret) var key: String?", "@Attribute(.fullText) var text: String",
            "@Attribute(.required, .notFullText) var report: String",
            "@Attribute(.originalName(\"title\")) var name: String",
            "@Attribute(originalName: \"title\") var name: String",
            "@Attribute(.scale(3), .range(0...)) var price: Decimal", "@Attribute(.range(...(-1))) var depth: Int?",
            "@Attribute(.pattern(#\"\\d+\"#, hint: \"digits\")) var code: String",
            "@Attribute(.length(1...)) var text: Text", "@Attribute(.range(0..<24)) var hour: Int",
            "@Attribute(.range(..<24)) var hour: UInt8?", "@Attribute(.length(1..<81)) var name: String",
            "@Attribute(.length(limits)) var text: String", "@Attribute(AttributeOption.unique) var text: String",
        ])
    func known(property: String) {
        #expect(MacroDiagnostics(ofProperty: property).messages.isEmpty)
    }

    @Test(
        "An unknown option is rejected, with a fix-it for the nearest option",
        arguments: [
            ("uniqe", "unique"), ("index", "indexed"), ("require", "required"), ("fulltext", "fullText"),
            ("notFulltext", "notFullText"), ("size", nil),
        ])
    func unknown(name: String, fixed: String?) {
        let result = MacroDiagnostics(ofProperty: "@Attribute(.\(name)) var name: String")
        #expect(result.messages == ["2: there is no option '.\(name)' of @Attribute"])
        if let fixed {
            #expect(result.fixes["use '\(fixed)'"]?.contains("@Attribute(.\(fixed)) var name: String") == true)
        } else {
            #expect(result.fixes.isEmpty)
        }
    }

    @Test(
        "an option that only SwiftData has is explained; the fix-it removes it",
        arguments: [
            (
                "externalStorage",
                "a Data of up to 64 KiB is stored with its record; leave the option out, and keep larger files in a file system"
            ),
            ("preserveValueOnDeletion", "the history keeps the values of deleted records; leave the option out"),
            ("allowsCloudEncryption", "no value leaves the server; leave the option out"),
            ("transformable(by: Codec.self)", "a Codable struct is stored as JSON; leave the option out"),
            ("ephemeral", "mark the property @Transient instead"),
        ])
    func optionOfSwiftData(option: String, advice: String) {
        let result = MacroDiagnostics(ofProperty: "@Attribute(.\(option), .unique) var name: String")
        let name = option.prefix { $0 != "(" }
        #expect(result.messages == ["2: there is no option '.\(name)' of @Attribute: \(advice)"])
        #expect(result.fixes["remove '.\(option)'"]?.contains("@Attribute(.unique) var name: String") == true)
    }

    @Test(
        "An option for another type is rejected, with a fix-it that removes the option",
        arguments: [
            (".length(1...80)", "length", "Bool", "a String"), (".pattern(\"a\")", "pattern", "Date", "a String"),
            (".secret", "secret", "Bool", "a String"), (".fullText", "fullText", "URL", "a String"),
            (".notFullText", "notFullText", "Int", "a String"),
            (".range(0...)", "range", "Date", "a number"), (".scale(2)", "scale", "Double", "a Decimal"),
        ])
    func unfit(option: String, name: String, type: String, purpose: String) {
        let result = MacroDiagnostics(ofProperty: "@Attribute(\(option), .unique) var thing: \(type)?")
        #expect(result.messages == ["2: '.\(name)' is for \(purpose), and 'thing' is of type '\(type)'"])
        #expect(result.fixes["remove '\(option)'"]?.contains("@Attribute(.unique) var thing: \(type)?") == true)
    }

    @Test(
        "A length of a number and a range of a text are rejected, with a fix-it that uses the other option",
        arguments: [
            ("length", "Int", "a String", "range"), ("length", "Decimal", "a String", "range"),
            ("range", "String", "a number", "length"),
        ])
    func counterpart(name: String, type: String, purpose: String, other: String) {
        let result = MacroDiagnostics(ofProperty: "@Attribute(.\(name)(1...80), .unique) var thing: \(type)?")
        #expect(
            result.messages == ["2: '.\(name)' is for \(purpose), and 'thing' is of type '\(type)': use '.\(other)'"])
        let repaired = "@Attribute(.\(other)(1...80), .unique) var thing: \(type)?"
        #expect(result.fixes["use '\(other)'"]?.contains(repaired) == true)
        #expect(result.fixes["remove '.\(name)(1...80)'"]?.contains("@Attribute(.unique) var thing: \(type)?") == true)
    }

    @Test("The fix-it for the only option removes the attribute")
    func onlyOption() {
        let result = MacroDiagnostics(ofProperty: "@Attribute(.scale(2)) var legs: Int")
        #expect(result.fixes["remove '@Attribute'"]?.contains("    var legs: Int") == true)
    }

    @Test("A repeated option is rejected, with a fix-it that removes the second")
    func repeated() {
        let result = MacroDiagnostics(ofProperty: "@Attribute(.length(1...80), .length(...90)) var name: String")
        #expect(result.messages == ["2: '.length' is there twice"])
        #expect(result.fixes["remove '.length(...90)'"]?.contains("@Attribute(.length(1...80)) var name") == true)
    }

    @Test(
        "A second @Attribute is rejected, with a fix-it that moves its options into the first",
        arguments: [
            ("@Attribute(.required) @Attribute(.unique) var email: String", 2, "@Attribute(.required, .unique)"),
            ("@Attribute(.required)\n    @Attribute(.unique) var email: String", 3, "@Attribute(.required, .unique)"),
            (
                "@Attribute(originalName: \"mail\") @Attribute(.length(1...80), .unique) var email: String", 2,
                "@Attribute(.length(1...80), .unique, originalName: \"mail\")"
            ),
            (
                "@Attribute(.required) @Attribute(.unique) @Aviary.Attribute(.indexed) var email: String", 2,
                "@Attribute(.required, .unique, .indexed)"
            ),
        ])
    func secondAttribute(property: String, line: Int, merged: String) {
        let result = MacroDiagnostics(ofProperty: property)
        #expect(
            result.messages == ["\(line): 'email' has more than one @Attribute: write all its options in the first"])
        #expect(result.fixes["use '\(merged)'"]?.contains("\n    \(merged) var email: String\n") == true)
    }

    @Test("A second @Attribute behind a comment is rejected without a fix-it, which would lose the comment")
    func commentedAttribute() {
        let result = MacroDiagnostics(
            ofProperty: "@Attribute(.required)  // for letters\n    @Attribute(.unique) var email: String")
        #expect(
            result.messages == ["3: 'email' has more than one @Attribute: write all its options in the first"])
        #expect(result.fixes.isEmpty)
    }

    @Test(
        "An invalid argument is rejected at compile time",
        arguments: [
            ("@Attribute(.length(80...1)) var name: String", "the range begins behind its end: 80 is more than 1"),
            ("@Attribute(.range(1 ... -1)) var legs: Int", "the range begins behind its end: 1 is more than -1"),
            ("@Attribute(.range(24..<0)) var hour: Int", "the range begins behind its end: 24 is more than 0"),
            ("@Attribute(.range(5..<5)) var hour: Int", "the range 5..<5 contains no number"),
            ("@Attribute(.length(-1...3)) var name: String", "a text has no fewer than 0 characters"),
            ("@Attribute(.scale(19)) var price: Decimal", "a Decimal has 0 to 18 digits behind its point, not 19"),
            ("@Attribute(.pattern(\"[a-\")) var code: String", "'[a-' is no regular expression"),
            ("@Attribute(.originalName(\"\")) var name: String", "the name that the property had cannot be empty"),
        ])
    func mistaken(property: String, message: String) {
        #expect(MacroDiagnostics(ofProperty: property).messages == ["2: " + message])
    }

    @Test(
        "a half-open range is for integers; the fix-it closes it",
        arguments: [
            ("0..<24", "Double", "0...24"), ("..<0.5", "Float", "...0.5"), ("0..<limit", "Decimal", "0...limit"),
        ])
    func halfOpen(range: String, type: String, closed: String) {
        let result = MacroDiagnostics(ofProperty: "@Attribute(.range(\(range))) var hours: \(type)?")
        #expect(
            result.messages == [
                "2: 'hours' is a \(type), of which none is the last before a bound: use '...', and exclude the end in validate()"
            ])
        #expect(result.fixes["use '...'"]?.contains("@Attribute(.range(\(closed))) var hours: \(type)?") == true)
    }

    @Test("An original name that is in use is rejected, ignoring case", arguments: ["title", "Title"])
    func originalNameInUse(name: String) {
        let result = MacroDiagnostics(
            ofProperty: "@Attribute(.unique, .originalName(\"\(name)\")) var name: String\n    var title: String")
        #expect(
            result.messages == [
                "2: '\(name)' is the name of a property that is there; an original name is one that is gone"
            ])
        #expect(
            result.fixes["remove '.originalName(\"\(name)\")'"]?.contains("@Attribute(.unique) var name: String")
                == true)
    }

    @Test(
        "Two properties with the same original name are rejected",
        arguments: [".originalName(\"title\")", "originalName: \"title\""])
    func repeatedOriginalName(option: String) {
        let result = MacroDiagnostics(
            ofProperty: """
                @Attribute(.originalName("title")) var name: String
                    @Attribute(\(option)) var label: String
                """)
        #expect(
            result.messages == [
                "3: another property has the original name 'title' already; only one can take over its values"
            ])
    }
}
