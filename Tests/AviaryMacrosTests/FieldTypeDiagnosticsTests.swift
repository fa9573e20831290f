import Testing

@Suite("@Model refuses types that it can see are no columns")
struct FieldTypeDiagnosticsTests {
    @Test(
        "types that can be stored, and those that only the compiler knows, pass",
        arguments: [
            "String", "Int?", "[String]", "[String]?", "Optional<Date>", "Address", "(Int)", "Zoo.Diet",
            "Reference<Zoo>?",
            "Set<String>", "[String: Int]", "Dictionary<String, [Int]>?",
        ])
    func allowed(type: String) {
        #expect(MacroDiagnostics(ofProperty: "var thing: \(type)").messages.isEmpty)
    }

    @Test(
        "a closure",
        arguments: [
            "() -> Void", "(() -> Void)?", "@Sendable () -> Void", "[() -> Void]", "[String: () -> Void]",
            "Dictionary<String, () -> Void>",
        ])
    func closure(type: String) {
        #expect(
            MacroDiagnostics(ofProperty: "var thing: \(type)").messages == [
                "2: 'thing' cannot be stored: a closure has no value to store; make it a method, or mark it @Transient"
            ])
    }

    @Test(
        "whatever it may be",
        arguments: [
            "Any", "any Sendable", "AnyObject?", "[Any]", "A & B", "some Codable",
            "[String: Any]", "[AnyHashable: Int]?", "Set<AnyHashable>",
        ])
    func existential(type: String) {
        #expect(
            MacroDiagnostics(ofProperty: "var thing: \(type)").messages == [
                "2: 'thing' cannot be stored: only values of one type can be stored; name the type"
            ])
    }

    @Test("a type")
    func metatype() {
        #expect(
            MacroDiagnostics(ofProperty: "var thing: Int.Type").messages == [
                "2: 'thing' cannot be stored: a type is no value; store its name as a String, or use a Choice"
            ])
    }

    @Test("an optional of an optional; the fix-it leaves one", arguments: ["Int??", "Optional<Int?>"])
    func nestedOptional(type: String) {
        let result = MacroDiagnostics(ofProperty: "var thing: \(type)")
        #expect(
            result.messages == [
                "2: 'thing' cannot be stored: there is one nil in a column, not two; leave out a question mark"
            ])
        #expect(result.fixes["use 'Int?'"]?.contains("var thing: Int?") == true)
    }

    @Test(
        "a list of references, which is a relation; the fix-it says so",
        arguments: ["[Reference<Visit>]", "Set<Reference<Visit>>"])
    func listOfReferences(type: String) {
        let result = MacroDiagnostics(ofProperty: "var visits: \(type)")
        #expect(
            result.messages == [
                "2: 'visits' cannot be stored: a list of references is a relation; use Related<Visit> with @Relationship"
            ])
        #expect(result.fixes["use 'Related<Visit>'"]?.contains("var visits: Related<Visit>") == true)
    }

    @Test("a to-many relation that may be nil; the fix-it leaves out the question mark")
    func optionalRelation() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Visit.animal) var visits: Related<Visit>?")
        #expect(
            result.messages == [
                "2: 'visits' cannot be stored: a to-many relation is never nil; leave out the question mark"
            ])
        #expect(result.fixes["use 'Related<Visit>'"]?.contains("var visits: Related<Visit>") == true)
    }
}
