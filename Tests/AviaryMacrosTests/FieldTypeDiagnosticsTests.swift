import Testing

@Suite("Diagnostics of property types")
struct FieldTypeDiagnosticsTests {
    @Test(
        "A type that can be stored is accepted, as is one that only the compiler knows",
        arguments: [
            "String", "Int?", "[String]", "[String]?", "Optional<Date>", "Address", "(Int)", "Zoo.Diet",
            "Reference<Zoo>?",
            "Set<String>", "[String: Int]", "Dictionary<String, [Int]>?",
        ])
    func allowed(type: String) {
        #expect(MacroDiagnostics(ofProperty: "var thing: \(type)").messages.isEmpty)
    }

    @Test(
        "A closure is rejected",
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
        "An existential type is rejected",
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

    @Test("A metatype is rejected")
    func metatype() {
        #expect(
            MacroDiagnostics(ofProperty: "var thing: Int.Type").messages == [
                "2: 'thing' cannot be stored: a type is no value; store its name as a String, or use a Choice"
            ])
    }

    @Test("A nested optional is rejected, with a fix-it that leaves one", arguments: ["Int??", "Optional<Int?>"])
    func nestedOptional(type: String) {
        let result = MacroDiagnostics(ofProperty: "var thing: \(type)")
        #expect(
            result.messages == [
                "2: 'thing' cannot be stored: there is one nil in a column, not two; leave out a question mark"
            ])
        #expect(result.fixes["use 'Int?'"]?.contains("var thing: Int?") == true)
    }

    @Test(
        "A list of references is rejected, with a fix-it for a relation",
        arguments: ["[Reference<Visit>]", "Set<Reference<Visit>>"])
    func listOfReferences(type: String) {
        let result = MacroDiagnostics(ofProperty: "var visits: \(type)")
        #expect(
            result.messages == [
                "2: 'visits' cannot be stored: a list of references is a relation; use Related<Visit> with @Relationship"
            ])
        #expect(result.fixes["use 'Related<Visit>'"]?.contains("var visits: Related<Visit>") == true)
    }

    @Test("An optional to-many relation is rejected, with a fix-it")
    func optionalRelation() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Visit.animal) var visits: Related<Visit>?")
        #expect(
            result.messages == [
                "2: 'visits' cannot be stored: a to-many relation is never nil; leave out the question mark"
            ])
        #expect(result.fixes["use 'Related<Visit>'"]?.contains("var visits: Related<Visit>") == true)
    }
}
