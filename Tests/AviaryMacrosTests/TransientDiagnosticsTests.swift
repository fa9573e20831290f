import Testing

@Suite("@Transient is for stored properties that are no columns")
struct TransientDiagnosticsTests {
    @Test(
        "with an initial value, or nil by itself",
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
        "without an initial value a record could not be read; the fix-it leaves room for one",
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

    @Test("the initial value goes behind the type")
    func fix() {
        let result = MacroDiagnostics(ofProperty: "@Transient var searches: Int // so far")
        #expect(
            result.fixes["give it an initial value"]?.contains("@Transient var searches: Int = <#value#> // so far")
                == true)
    }

    @Test("a computed property needs no mark; the fix-it removes it")
    func computed() {
        let result = MacroDiagnostics(ofProperty: "@Transient var age: Int { 3 }")
        #expect(result.messages == ["2: 'age' is computed and never stored: it needs no @Transient"])
        #expect(result.fixes["remove '@Transient'"]?.contains("    var age: Int { 3 }") == true)
    }

    @Test("what is not stored takes no options; either mark can go", arguments: ["Attribute(.unique)", "Relationship"])
    func withOther(mark: String) {
        let result = MacroDiagnostics(ofProperty: "@Transient @\(mark) var size = 3")
        let name = mark.prefix { $0 != "(" }
        #expect(
            result.messages == ["2: 'size' cannot have @\(name) and @Transient: what is not stored takes no options"])
        #expect(result.fixes["remove '@Transient'"]?.contains("@\(mark) var size = 3") == true)
        #expect(result.fixes["remove '@\(name)'"]?.contains("@Transient var size = 3") == true)
    }

    @Test("an id is stored")
    func identity() {
        #expect(
            MacroDiagnostics(ofProperty: "@Transient var id = RecordID<Animal>()").messages == [
                "2: 'id' cannot be @Transient: records are found by it"
            ])
    }
}
