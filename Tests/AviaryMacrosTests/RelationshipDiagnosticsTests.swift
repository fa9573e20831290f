import Testing

@Suite("@Relationship belongs on a to-many relation")
struct RelationshipDiagnosticsTests {
    @Test("on a reference it is refused; the fix-it removes it")
    func onReference() {
        let result = MacroDiagnostics(ofProperty: "@Relationship(inverse: \\Zoo.animals) var zoo: Reference<Zoo>?")
        #expect(
            result.messages == [
                "2: 'zoo' cannot have @Relationship: it belongs on a Related<…>; a Reference needs none"
            ])
        #expect(result.fixes["remove '@Relationship'"]?.contains("    var zoo: Reference<Zoo>?") == true)
    }

    @Test(
        "a to-many relation without it names no inverse; the fix-it adds it", arguments: ["Related", "Aviary.Related"])
    func missing(type: String) {
        let result = MacroDiagnostics(ofProperty: "var visits: \(type)<Visit>")
        #expect(
            result.messages == [
                "2: 'visits' needs @Relationship(inverse:) with the reference of Visit that points back"
            ])
        let fixed = "    @Relationship(inverse: \\Visit.<#reference#>) var visits: \(type)<Visit>"
        #expect(result.fixes["name the inverse"]?.contains(fixed) == true)
    }

    @Test("@Attribute has no place on a to-many relation")
    func attribute() {
        let result = MacroDiagnostics(
            ofProperty: "@Attribute(.unique) @Relationship(inverse: \\Visit.animal) var visits: Related<Visit>"
        )
        #expect(result.messages == ["2: 'visits' cannot have @Attribute: a to-many relation is not stored"])
    }

    @Test("both marks may be written with the module's name")
    func qualified() {
        #expect(
            MacroDiagnostics(
                ofProperty: "@Aviary.Relationship(inverse: \\Visit.animal) var visits: Aviary.Related<Visit>"
            ).messages.isEmpty)
    }
}
