import Testing

@Suite("Diagnostics of @Transient")
struct TransientDiagnosticsTests {
    @Test(
        "A property with an initial value, or nil by default, is accepted",
        arguments: [
            "@Transient var searches = makeCount()", "@Transient var cache: [String: Any] = [:]",
            "@Transient var handler: (() -> Void)?",
            "@Aviary.Transient lazy var size: Int = 3", "@Transient let limit = 3", "@Transient @Clamped var size = 3",
            "@Transient static var count: Int",
        ])
    func allowed(property: String) {
        #expect(MacroDiagnostics(ofProperty: property).messages.isEmpty)
    }

    @Test(
        "A property without an initial value is rejected, with a fix-it",
        arguments: [
            "var searches: Int", "let searches: Int?",
        ])
    func withoutValue(property: String) {
        let result = MacroDiagnostics(ofProperty: "@Transient " + property)
        #expect(
            result.messages == [
                "2: 'searches' needs an initial value: it is @Transient, so reading a record does not set it"
            ])
        #expect(result.fixes["give it an initial value"]?.contains("= <#value#>") == true)
    }

    @Test("The fix-it adds the initial value after the type")
    func fix() {
        let result = MacroDiagnostics(ofProperty: "@Transient var searches: Int // so far")
        #expect(
            result.fixes["give it an initial value"]?.contains("@Transient var searches: Int = <#value#> // so far")
                == true)
    }

    @Test("A computed property is rejected, with a fix-it that removes the attribute")
    func computed() {
        let result = MacroDiagnostics(ofProperty: "@Transient var age: Int { 3 }")
        #expect(result.messages == ["2: 'age' is computed and never stored: it needs no @Transient"])
        #expect(result.fixes["remove '@Transient'"]?.contains("    var age: Int { 3 }") == true)
    }

    @Test("A second @Transient is rejected, with a fix-it that removes it")
    func twice() {
        let result = MacroDiagnostics(ofProperty: "@Transient @Transient var size = 3")
        #expect(result.messages == ["2: 'size' has more than one @Transient: remove the second"])
        #expect(result.fixes["remove '@Transient'"]?.contains("    @Transient var size = 3\n") == true)
    }

    @Test(
        "A combination with another attribute is rejected, with a fix-it for each",
        arguments: ["Attribute(.unique)", "Relationship"])
    func withOther(mark: String) {
        let result = MacroDiagnostics(ofProperty: "@Transient @\(mark) var size = 3")
        let name = mark.prefix { $0 != "(" }
        #expect(
            result.messages == ["2: 'size' cannot have @\(name) and @Transient: what is not stored takes no options"])
        #expect(result.fixes["remove '@Transient'"]?.contains("@\(mark) var size = 3") == true)
        #expect(result.fixes["remove '@\(name)'"]?.contains("@Transient var size = 3") == true)
    }

    @Test("An id is rejected")
    func identity() {
        #expect(
            MacroDiagnostics(ofProperty: "@Transient var id = RecordID<Animal>()").messages == [
                "2: 'id' cannot be @Transient: records are found by it"
            ])
    }
}
